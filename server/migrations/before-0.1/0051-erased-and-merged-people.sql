-- People who were erased or merged into another one, and how duplicates are found.

-- merged_into_uid: the person who stayed. erased_at: names, numbers and plans are gone, counts and statuses stay.
alter table person add column merged_into_uid uuid, add column erased_at timestamptz;
-- no row has one yet, so nothing is read
alter table person add constraint person_merged_into foreign key (client_uid, merged_into_uid) references person not valid;

-- A person who has changed is compared with those of the same e-mail, mobile, or name and floor, and with nobody else.
create index person_changed on person (client_uid, updated_at);
create index person_same_email on person (client_uid, lower(email)) where active and kind = 'staff' and email is not null;
create index person_same_mobile on person (client_uid, mobile) where active and kind = 'staff' and mobile is not null;
create index person_same_name on person (client_uid, lower(last_name), lower(first_name), primary_floor_uid)
  where active and kind = 'staff' and primary_floor_uid is not null;

-- A document of an erased person goes with its file.
grant delete on document to evac_system;
