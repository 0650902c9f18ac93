-- Whom a report names. Looked up for each of up to 5,000 reports of an event.
create index person_whole_name on person (client_uid, lower(first_name || ' ' || last_name));
