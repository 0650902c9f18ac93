-- The line of each participation and person in people.ndjson of the log, so that a page of a record reads only the lines of those
-- whom it names. It has no name: names stand in the lines alone.
create table log_person (
  client_uid uuid not null,
  event_uid uuid not null,
  -- a participation, or someone to be accounted for
  subject uuid not null,
  n integer not null,
  primary key (client_uid, event_uid, subject),
  foreign key (client_uid, event_uid) references record_log on delete cascade
);
insert into log_person (client_uid, event_uid, subject, n)
select t.client_uid, t.event_uid, s.subject, t.idx * 256 + s.nth
from log_tile t cross join unnest(t.subjects) with ordinality s (subject, nth) where t.file = 'people';
-- no release has had it
alter table log_tile drop column subjects;

alter table log_person enable row level security;
create policy own_clients on log_person to evac_app
  using (client_uid = any ((select string_to_array(nullif(current_setting('app.clients', true), ''), ',')::uuid[])::uuid[]));
create policy everything on log_person to evac_system using (true) with check (true);
grant select on log_person to evac_app;
grant select, insert on log_person to evac_system;
