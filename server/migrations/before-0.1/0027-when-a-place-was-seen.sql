-- When somebody was seen where the list has them; null while nobody has seen them there. A danger may be newer than the
-- place: whoever texts it, or records it in the list of people, names none.
alter table evacuee add column place_seen_at timestamptz;
