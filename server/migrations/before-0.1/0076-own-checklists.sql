-- An organisation's own items of the checklist of records. Without one in use the twelve of the product are asked.

create table checklist_item (
  client_uid uuid not null references client,
  uid uuid not null default gen_random_uuid(),
  code text not null,
  -- answers in records name an item by its text
  text text not null,
  display_order integer not null,
  active boolean not null default true,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  primary key (client_uid, uid),
  unique (client_uid, code)
);

grant select, insert, update, delete on checklist_item to evac_app, evac_system;
alter table checklist_item enable row level security;
create policy own_clients on checklist_item to evac_app
  using (client_uid = any ((select string_to_array(nullif(current_setting('app.clients', true), ''), ',')::uuid[])::uuid[]));
create policy everything on checklist_item to evac_system using (true) with check (true);
