-- The verifiable log of each event. It outlives its event, so nothing refers to one.

-- Where the log of an event stands. Sealing changes it under its row lock; no status write touches it.
create table record_log (
  client_uid uuid not null references client,
  event_uid uuid not null,
  -- makes the salts of the journal's lines; gone with the last row of the event's journal
  salt_secret bytea check (length(salt_secret) = 32),
  size bigint not null default 0,
  -- the newest sealed row, in the order (transaction, position)
  last_xid xid8 not null default '0',
  last_position bigint not null default 0,
  -- the database's epoch when the last entry was sealed; the one in which last_xid and last_position are valid
  epoch text not null,
  read_epoch text not null,
  sealed_at timestamptz not null default now(),
  -- of the newest head
  head_size bigint not null default 0,
  head_at timestamptz,
  primary key (client_uid, event_uid)
);
create index record_log_without_head on record_log (client_uid, event_uid) where head_size < size;
create index record_log_sealed on record_log (sealed_at);

-- 256 lines each. file: journal, people, texts or messages.
create table record_tile (
  client_uid uuid not null,
  event_uid uuid not null,
  file text not null check (file in ('journal', 'people', 'texts', 'messages')),
  idx integer not null,
  -- of the journal: the position of each row
  keys bigint[] not null,
  -- of the journal: between which transactions its rows are
  first_xid bigint,
  last_xid bigint,
  -- 32 bytes of each line
  commits bytea not null,
  -- of a full tile of the journal: the Merkle hash of its leaves
  hash bytea,
  -- gzip of the lines; null of the journal, whose lines are made anew, and after erasure
  lines bytea,
  primary key (client_uid, event_uid, file, idx),
  foreign key (client_uid, event_uid) references record_log
);
alter table record_tile alter column commits set storage external;
alter table record_tile alter column lines set storage external;

-- Each head that was signed. tsr: the time stamp of its note (RFC 3161).
create table record_head (
  client_uid uuid not null,
  event_uid uuid not null,
  size bigint not null,
  root bytea not null,
  note text not null,
  at timestamptz not null default now(),
  tsr bytea,
  primary key (client_uid, event_uid, size),
  foreign key (client_uid, event_uid) references record_log
);
create index record_head_unstamped on record_head (at) where tsr is null;

-- Every key that has signed a head here. A new SECRET_KEY or host is a new key.
create table log_key (
  name text not null,
  key_id text not null,
  public_key bytea not null,
  since timestamptz not null default now(),
  primary key (name, public_key)
);

grant select on record_log, record_tile, record_head to evac_app;
grant select, insert, update on record_log, record_tile, record_head, log_key to evac_system;

do $$
declare own text;
begin
  foreach own in array array['record_log', 'record_tile', 'record_head'] loop
    execute format('alter table %I enable row level security', own);
    execute format('create policy own_clients on %I to evac_app using (client_uid = any ((select string_to_array(nullif(current_setting(''app.clients'', true), ''''), '','')::uuid[])::uuid[]))', own);
    execute format('create policy everything on %I to evac_system using (true) with check (true)', own);
  end loop;
end $$;
