-- Sending of texts: leases and receipts, links that fill in a text, exact throttles, and the phones of the simulator.

-- A claimed text belongs to one worker until the lease runs out: a killed worker loses nothing. A text that could not be
-- handed over for the moment waits by the same column.
alter table sms
  add column claimed_until timestamptz,
  add column attempts integer not null default 0,
  add column provider_id text,
  add column mobile_token_uid uuid references mobile_token on delete set null;
-- What had no end is as old as an alert may become.
update sms set valid_until = created_at + interval '15 minutes' where valid_until is null;
alter table sms alter column valid_until set not null;

-- What is soonest too late goes first: sign-in links (3 minutes) overtake alerts (15).
drop index sms_queued;
create index sms_due on sms (valid_until) where status = 'queued';
create index sms_unconfirmed on sms (changed_at) where status = 'handed_over';
create index sms_age on sms using brin (created_at);
create index sms_mobile_token on sms (mobile_token_uid) where mobile_token_uid is not null;

-- The page that redeems a link proves itself by a nonce, so that it may ask again when the answer was lost.
alter table mobile_token
  add column nonce_hash bytea,
  add column voided_at timestamptz;
create index mobile_token_phone on mobile_token (phone, expires_at);

-- Tries of a key within its window, each with its moment: "5 in 5 minutes" holds at every moment, not per clock window.
create table recent_attempt (
  key text primary key,
  at timestamptz[] not null
);
grant select, insert, update, delete on recent_attempt to evac_system;

-- What has arrived on a simulated phone. The key is the text's own uid: handing it over twice shows it once.
create table simulated_text (
  uid uuid primary key,
  to_mobile text not null,
  body text not null,
  received_at timestamptz not null default now()
);
create index simulated_text_phone on simulated_text (to_mobile, received_at);
grant select, insert, delete on simulated_text to evac_system;
