-- Texts from phones: those of unknown numbers stand in Reports, and receipts are found in other spellings of their id.

alter table self_report
  drop constraint self_report_way_check,
  add constraint self_report_way_check check (way in ('link', 'poster', 'text')),
  drop constraint self_report_status_check,
  -- 'words': a text that neither says safe nor calls for help
  add constraint self_report_status_check check (status in ('safe', 'help', 'words')),
  drop constraint self_report_words_check,
  add constraint self_report_words_check check (length(words) between 1 and 2000),
  -- a word of danger with a no before it
  add column unsure boolean not null default false,
  -- of several organisations with a running event, none knows the number
  add column elsewhere boolean not null default false;

alter table event
  -- false: no further texts of unknown numbers, calls for help aside
  add column unknown_texts_open boolean not null default true,
  -- hashes of numbers for which the list has no room, 5,000 at most
  add column more_numbers integer[] not null default '{}';

-- names of all who have the number: it is not known who wrote
alter table message add column shared_with text check (length(shared_with) between 1 and 200);

-- steady time at which the sender's provider says that it was sent; pictures that came with it
alter table inbound_text
  add column sent_at timestamptz,
  add column media integer not null default 0;

alter table sms_part
  -- of a receipt in another spelling: the id of the part that it was of
  add column alias_of text,
  -- a receipt for which no part was found in a minute
  add column unmatched_at timestamptz;
create index sms_part_spelling on sms_part (gateway, (regexp_replace(lower(provider_id), '^(0x)?0*', '')))
  where sms_uid is not null and state is null;
create index sms_part_lost on sms_part (noted_at) where sms_uid is null and alias_of is null and unmatched_at is null;
