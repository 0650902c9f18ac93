-- the hash of a password that came from the other of two people who were merged, and who merged them
alter table account add column merged_password_hash text, add column merged_by_person_uid uuid, add column merged_at timestamptz;

-- Someone else has changed the address that opened the session, while its warden was on duty: it ends with that duty.
alter table session add column address_left_at timestamptz;
