-- When the phone of a warden on duty was last in contact, by socket or poll. One upsert a minute for each node.

create table warden_contact (
  client_uid uuid not null,
  sign_in_uid uuid not null,
  seen_at timestamptz not null,
  primary key (client_uid, sign_in_uid),
  foreign key (client_uid, sign_in_uid) references warden_sign_in on delete cascade
);
-- nodes know wardens on duty by their sign-in alone
create index warden_sign_in_on_duty on warden_sign_in (uid) where on_duty;

alter table warden_contact enable row level security;
create policy own_clients on warden_contact to evac_app
  using (client_uid = any ((select string_to_array(nullif(current_setting('app.clients', true), ''), ',')::uuid[])::uuid[]));
create policy everything on warden_contact to evac_system using (true) with check (true);
grant select on warden_contact to evac_app;
grant select, insert, update on warden_contact to evac_system;

-- When the words of its decisions were deleted
alter table event_record add column words_deleted_at timestamptz;
-- so far they were kept: the nightly deletion takes them with the messages of the event
create index event_record_words on event_record (client_uid, ended_at) where words_deleted_at is null and state = 'ready';

-- Records that arrived after the end of their event
create index journal_late on journal (client_uid, event_uid) where action = 'late_record';
