-- A repetition of a text without a name is known by what its phone said last.
create index inbound_text_phone on inbound_text (from_mobile, received_at);
