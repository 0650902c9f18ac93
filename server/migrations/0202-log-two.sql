-- The second version of the log. A node of the version before seals and signs nothing here: its table of tiles is gone.
alter table record_tile rename to log_tile;
-- journal, people, ends, texts, messages or record
alter table log_tile drop constraint record_tile_file_check;
alter table log_tile add constraint log_tile_file_check
  check (file in ('journal', 'people', 'ends', 'texts', 'messages', 'record'));
-- of people: whom each line is about, so that those who join are packed once
alter table log_tile add column subjects uuid[];

alter table record_log
  -- the entry from which lines are of version 2. Null: all are of version 1
  add column form_from bigint,
  -- the number of this log among those of its organisation. Null: it was opened by the version before
  add column serial integer,
  -- when people were last packed while the event ran
  add column packed_at timestamptz,
  -- when a check last began, and when one last ended, of so many entries
  add column looked_at timestamptz,
  add column checked_at timestamptz,
  add column checked_size bigint,
  -- the sentence of the checker, and when it was found. It stays until the log fits again
  add column trouble text,
  add column trouble_at timestamptz,
  add column trouble_mailed_at timestamptz;
create unique index record_log_serial on record_log (client_uid, serial);
create index record_log_of_form_one on record_log (client_uid, event_uid) where form_from is null;
create index record_log_trouble on record_log (client_uid, event_uid) where trouble is not null;

-- The last serial that was given. Its lock keeps serials without gaps.
alter table record_counter add column last_serial integer not null default 0;

-- The log of heads, one for the installation: entry n is the hash of the n-th head. The file store has each note, too.
create table head_log (
  client_uid uuid not null references client,
  n bigint not null unique,
  event_uid uuid not null,
  serial integer,
  size bigint not null,
  root bytea not null,
  note text not null,
  -- SHA-256 of the note
  hash bytea not null check (length(hash) = 32),
  -- the epoch of the database that signed it
  epoch text not null,
  at timestamptz not null default now(),
  primary key (client_uid, n)
);
create index head_log_event on head_log (client_uid, event_uid, n);
create index head_log_serial on head_log (client_uid, serial, n);

-- What witnesses have signed of the log of heads: the lines of their signatures for the checkpoint of that size.
create table witness_signature (
  witness text not null,
  size bigint not null,
  signature text not null,
  at timestamptz not null default now(),
  primary key (witness, size)
);

-- Witnesses that refused the log of heads, because it does not continue what they have signed.
create table witness_refusal (
  witness text primary key,
  at timestamptz not null default now()
);

alter table head_log enable row level security;
create policy own_clients on head_log to evac_app
  using (client_uid = any ((select string_to_array(nullif(current_setting('app.clients', true), ''), ',')::uuid[])::uuid[]));
create policy everything on head_log to evac_system using (true) with check (true);
grant select on head_log, witness_signature to evac_app;
grant select, insert on head_log, witness_signature to evac_system;
grant select, insert, delete on witness_refusal to evac_system;
