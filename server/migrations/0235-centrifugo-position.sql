-- How far the journal has been published to Centrifugo, and when a process last said that all is well. A new leader goes on from here.
create table centrifugo_position (
  only_row boolean primary key default true check (only_row),
  xid xid8 not null,
  epoch text not null,
  at timestamptz not null default clock_timestamp()
);
grant select, insert, update on centrifugo_position to evac_system;
