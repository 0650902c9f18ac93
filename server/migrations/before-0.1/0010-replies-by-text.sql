-- Messages by text: what became of each, what a reply meant, and who wants no texts.

-- The text that carries a message: its state is how far the message has come.
alter table sms
  add column message_seq bigint,
  add foreign key (client_uid, message_seq) references message;
create index sms_message on sms (client_uid, message_seq) where message_seq is not null;

-- The status that an incoming text set by itself.
alter table message add column recorded text check (recorded in ('safe', 'danger'));
create index message_sender on message (client_uid, event_uid, sender_sign_in_uid) where kind = 'warden';

-- When the status came by text, and proves nobody: it says so as long as this is still the time of the status.
alter table evacuee add column text_status_at timestamptz;

-- Who sent a text is found by the number.
create index person_mobile on person (mobile) where mobile is not null;

-- Numbers that answered STOP. A number, not a person: providers know nothing else, and stop it for everybody.
create table sms_refusal (
  mobile text primary key,
  since timestamptz not null default now()
);
grant select on sms_refusal to evac_app;
grant select, insert, delete on sms_refusal to evac_system;

-- A provider delivers a text again until it is answered: the key takes it once.
create table received_reply (
  provider_id text primary key,
  outcome text not null,
  received_at timestamptz not null default now()
);
create index received_reply_age on received_reply using brin (received_at);
grant select, insert, update, delete on received_reply to evac_system;
