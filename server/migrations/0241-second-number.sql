-- Another phone of a person, of any kind: it is texted and called where the first one does not answer, and signs no one in.
alter table person add column second_mobile text check (second_mobile ~ '^[0-9]{8,15}$');
create index person_second_mobile on person (second_mobile) where second_mobile is not null;
