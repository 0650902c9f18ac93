-- Entries that say themselves who made them: an erasure takes a name out of them, without reading the whole journal.
create index journal_maker on journal (client_uid, event_uid) where after ? 'by';
