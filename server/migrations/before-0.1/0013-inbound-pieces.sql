-- Pieces of a long text that somebody sent us, until all of them are here.
create table inbound_piece (
  gateway text not null,
  from_mobile text not null,
  reference integer not null,
  of integer not null,
  nth integer not null,
  provider_id text not null,
  body text not null,
  received_at timestamptz not null default now(),
  primary key (gateway, from_mobile, reference, of, nth)
);
create index inbound_piece_age on inbound_piece (received_at);
grant select, insert, update, delete on inbound_piece to evac_system;
