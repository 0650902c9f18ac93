-- When someone came to be accounted for, and with which building they left: the record counts them at every moment.
-- No default for rows that are there: nothing says when those joined.
alter table evacuee add joined_at timestamptz;
alter table evacuee alter joined_at set default now();
alter table evacuee add left_with uuid;
-- Stays in the event before the present one, of people whose building came back: [{joined_at, removed_at, left_with, building_uid, floor_uid}]
alter table evacuee add stays jsonb;

-- Who left with a building did so in the transaction that took it out.
update evacuee e set left_with = e.building_uid
from journal j
where not e.active and j.client_uid = e.client_uid and j.event_uid = e.event_uid and j.action = 'buildings_removed'
  and j.recorded_at = e.removed_at and j.after -> 'buildings' ? e.building_uid::text;
