-- Lists of people in the console: by last, then first name, whatever the case and the accents.
-- Only indexes: a stored sort column would rewrite the table under an exclusive lock.
create index person_by_last_name on person
  (client_uid, last_name collate "und-x-icu", first_name collate "und-x-icu", uid);
create index person_by_first_name on person
  (client_uid, first_name collate "und-x-icu", last_name collate "und-x-icu", uid);
create index person_by_code on person (client_uid, code collate "und-x-icu");
create index person_by_email on person (client_uid, email collate "und-x-icu") where email is not null;
create index person_by_mobile on person (client_uid, mobile collate "C") where mobile is not null;
-- 'Without a floor'
create index person_without_floor on person
  (client_uid, last_name collate "und-x-icu", first_name collate "und-x-icu", uid)
  where active and kind = 'staff' and primary_floor_uid is null;
