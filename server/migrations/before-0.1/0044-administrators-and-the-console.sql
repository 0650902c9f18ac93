-- Administrators of an organisation, how they sign in to the console, and invitations.

alter table client add column contact_email text;

-- A named set of people. A grant may reach its members.
create table people_group (
  client_uid uuid not null references client,
  uid uuid not null default gen_random_uuid(),
  code text not null,
  name text not null,
  active boolean not null default true,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  primary key (client_uid, uid),
  unique (client_uid, code)
);

create table people_group_member (
  client_uid uuid not null,
  group_uid uuid not null,
  person_uid uuid not null,
  primary key (client_uid, group_uid, person_uid),
  foreign key (client_uid, group_uid) references people_group,
  foreign key (client_uid, person_uid) references person
);
create index people_group_member_person on people_group_member (client_uid, person_uid);

-- A grant. Who changes one ends it and makes another: what was granted stays readable.
create table administrator (
  client_uid uuid not null references client,
  uid uuid not null default gen_random_uuid(),
  person_uid uuid not null,
  reach text not null check (reach in ('organisation', 'site', 'group')),
  site_uid uuid,
  group_uid uuid,
  sees_plans boolean not null default false,
  -- null: the set-up or the operator
  granted_by_person_uid uuid,
  granted_at timestamptz not null default now(),
  revoked_at timestamptz,
  primary key (client_uid, uid),
  foreign key (client_uid, person_uid) references person,
  foreign key (client_uid, site_uid) references site,
  foreign key (client_uid, group_uid) references people_group,
  check ((reach = 'site') = (site_uid is not null)),
  check ((reach = 'group') = (group_uid is not null))
);
create unique index administrator_one_grant on administrator (client_uid, person_uid) where revoked_at is null;

-- The first password of somebody invited. The token is made from the uid at sending; only its SHA-256 is kept.
create table invitation (
  client_uid uuid not null references client,
  uid uuid not null default gen_random_uuid(),
  person_uid uuid not null,
  token_hash bytea not null unique,
  invited_by_person_uid uuid,
  created_at timestamptz not null default now(),
  expires_at timestamptz not null,
  used_at timestamptz,
  voided_at timestamptz,
  primary key (client_uid, uid),
  foreign key (client_uid, person_uid) references person
);
create index invitation_open on invitation (client_uid, person_uid) where used_at is null and voided_at is null;
create index invitation_uid on invitation (uid);
create index invitation_expiry on invitation (expires_at);

-- What an authenticator knows, sealed with a key of SECRET_KEY. last_step: the newest time step whose code was taken.
create table second_factor (
  account_uid uuid primary key references account,
  secret bytea not null,
  last_step bigint not null,
  set_at timestamptz not null default now()
);

create table recovery_code (
  account_uid uuid not null references second_factor on delete cascade,
  code_hash bytea not null,
  used_at timestamptz,
  primary key (account_uid, code_hash)
);

-- Between password and code. password_digest: SHA-256 of the password's hash, so that a new password by any door ends it;
-- further accounts: those of other organisations that the same password has opened, with their digests in the same order.
create table console_ticket (
  uid uuid primary key default gen_random_uuid(),
  token_hash bytea not null unique,
  step text not null check (step in ('code', 'enrol')),
  account_uid uuid not null references account,
  password_digest bytea not null,
  further_account_uids uuid[] not null default '{}',
  further_digests bytea[] not null default '{}',
  -- of a second factor that no code has proven yet, sealed
  secret bytea,
  created_at timestamptz not null default now(),
  expires_at timestamptz not null,
  used_at timestamptz
);
create index console_ticket_expiry on console_ticket (expires_at);

create table console_session (
  uid uuid primary key default gen_random_uuid(),
  token_hash bytea not null unique,
  account_uid uuid not null references account,
  password_digest bytea not null,
  further_account_uids uuid[] not null default '{}',
  further_digests bytea[] not null default '{}',
  created_at timestamptz not null default now(),
  seen_at timestamptz not null default now(),
  confirmed_at timestamptz not null default now(),
  expires_at timestamptz not null,
  revoked_at timestamptz
);
create index console_session_account on console_session (account_uid);
create index console_session_expiry on console_session (expires_at);

alter table mail drop constraint mail_kind_check;
alter table mail add constraint mail_kind_check
  check (kind in ('password_reset', 'password_changed', 'invitation', 'notice'));
-- Whose link stands for '{link}'.
alter table mail add column invitation_uid uuid;

grant select, insert, update on people_group, administrator to evac_app, evac_system;
grant select, insert, update, delete on people_group_member to evac_app, evac_system;
grant select, insert, update on invitation to evac_app;
grant select, insert, update, delete on invitation, second_factor, recovery_code, console_ticket, console_session to evac_system;

do $$
declare
  own text;
begin
  foreach own in array array['people_group', 'people_group_member', 'administrator', 'invitation'] loop
    execute format('alter table %I enable row level security', own);
    execute format('create policy own_clients on %I to evac_app using (client_uid = any ((select string_to_array(nullif(current_setting(''app.clients'', true), ''''), '','')::uuid[])::uuid[]))', own);
    execute format('create policy everything on %I to evac_system using (true) with check (true)', own);
  end loop;
end $$;
