-- Days on which a warden is not in. Deleted 30 days after the day.
create table warden_absence (
  client_uid uuid not null,
  assignment_uid uuid not null,
  day date not null,
  primary key (client_uid, assignment_uid, day),
  foreign key (client_uid, assignment_uid) references warden_assignment on delete cascade
);
create index warden_absence_day on warden_absence (day);

alter table warden_absence enable row level security;
create policy own_clients on warden_absence to evac_app
  using (client_uid = any ((select string_to_array(nullif(current_setting('app.clients', true), ''), ',')::uuid[])::uuid[]));
create policy everything on warden_absence to evac_system using (true) with check (true);
grant select, insert, delete on warden_absence to evac_app;
grant select, insert, delete on warden_absence to evac_system;

-- A mail in the afternoon about floors without a warden tomorrow
alter table client add column coverage_mail boolean not null default true;
alter table mail drop constraint mail_kind_check;
alter table mail add constraint mail_kind_check
  check (kind in ('password_reset', 'password_changed', 'invitation', 'notice', 'offer', 'record', 'action', 'coverage'));
