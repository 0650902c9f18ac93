-- Where reports by poster come from: the line stands in network. Null for what a node of the version before has stored.
alter table self_report add column home text;
alter table self_report add column site text;
create index self_report_calls_of_site on self_report (client_uid, event_uid, site) where state = 'open' and status = 'help';

-- Calls for help beyond the limit of their network: they are counted, and nothing else of them is kept.
create table self_report_more (
  client_uid uuid not null,
  event_uid uuid not null,
  site text not null,
  count int not null,
  -- those that a warden has dismissed
  dismissed int not null default 0,
  first_at timestamptz not null,
  newest_at timestamptz not null,
  primary key (client_uid, event_uid, site),
  foreign key (client_uid, event_uid) references event,
  check (dismissed between 0 and count)
);
alter table self_report_more enable row level security;
create policy own_clients on self_report_more to evac_app
  using (client_uid = any ((select string_to_array(nullif(current_setting('app.clients', true), ''), ',')::uuid[])::uuid[]));
create policy everything on self_report_more to evac_system using (true) with check (true);
grant select, insert, update (count, dismissed, newest_at) on self_report_more to evac_app;
grant select, insert, update, delete on self_report_more to evac_system;
