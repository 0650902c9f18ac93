-- With which SECRET_KEY a recovery code was hashed: the first 8 hexadecimal digits of the hash of the derived key. Null: a node of
-- the version before made it.
alter table recovery_code add column key_id text;
