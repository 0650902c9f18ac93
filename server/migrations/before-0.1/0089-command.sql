-- Who is in command of an event, one turn after the other.

alter table client add column command_minutes int not null default 5 check (command_minutes between 2 and 60);
-- the place of the role in the chain of command. null: last
alter table warden_role add column command_order smallint check (command_order between 1 and 99);

create table command_turn (
  client_uid uuid not null,
  uid uuid not null default gen_random_uuid(),
  event_uid uuid not null,
  -- null: nobody is in command. Nor is anybody while this warden is off duty
  sign_in_uid uuid,
  began_at timestamptz not null default clock_timestamp(),
  ended_at timestamptz,
  -- how the turn began
  how text not null check (how in ('start', 'handed_over', 'taken', 'silent')),
  -- of the beginning, as the counts
  note text check (length(note) between 1 and 500),
  counts jsonb,
  -- Whom its commander has asked to take over
  asked_sign_in_uid uuid,
  asked_at timestamptz,
  asked_note text check (length(asked_note) between 1 and 500),
  -- When the commander was last heard, set once that is too long ago
  silent_at timestamptz,
  primary key (client_uid, uid),
  foreign key (client_uid, event_uid) references event,
  foreign key (client_uid, sign_in_uid) references warden_sign_in,
  foreign key (client_uid, asked_sign_in_uid) references warden_sign_in,
  check ((asked_sign_in_uid is null) = (asked_at is null))
);
create unique index command_turn_current on command_turn (client_uid, event_uid) where ended_at is null;
create index command_turn_event on command_turn (client_uid, event_uid, began_at);
create index command_turn_sign_in on command_turn (client_uid, sign_in_uid);
create index command_turn_asked on command_turn (client_uid, asked_sign_in_uid) where asked_sign_in_uid is not null;

-- whoever started a running event is in command of it while on duty
insert into command_turn (client_uid, event_uid, sign_in_uid, began_at, how)
select e.client_uid, e.uid, si.uid, e.started_at, 'start'
from event e
left join warden_sign_in si on si.client_uid = e.client_uid and si.uid = e.started_by_sign_in_uid
  and si.on_duty and si.closed_at is null
where e.ended_at is null;

alter table command_turn enable row level security;
create policy own_clients on command_turn to evac_app
  using (client_uid = any ((select string_to_array(nullif(current_setting('app.clients', true), ''), ',')::uuid[])::uuid[]));
create policy everything on command_turn to evac_system using (true) with check (true);
grant select, insert, update on command_turn to evac_app;
grant select, insert, update, delete on command_turn to evac_system;
alter table sms drop constraint sms_kind_check;
alter table sms add constraint sms_kind_check check (kind in ('event_message', 'warden_alert', 'event_concluded',
  'sign_in_link', 'report_in_link', 'message', 'offer', 'command', 'instruction'));
