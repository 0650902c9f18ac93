-- When retention deletes an event, its outcome stays without who gave it.
grant update (by_person_uid, by_role) on record_entry to evac_system;
