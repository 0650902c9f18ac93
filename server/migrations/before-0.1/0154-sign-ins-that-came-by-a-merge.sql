-- the hash of a password that came from the other of two people who were merged, and who merged them
alter table account add column merged_password_hash text, add column merged_by_person_uid uuid, add column merged_at timestamptz;
