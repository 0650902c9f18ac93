-- an administrator has seen the link: invited_by_person_uid
alter table invitation add column shown boolean not null default false;
update invitation i set shown = true
where i.used_at is null and i.voided_at is null and i.invited_by_person_uid is not null and exists (
  select from journal j where j.client_uid = i.client_uid and j.subject_uid = i.person_uid and j.action = 'invitation_shown'
    and j.actor_person_uid = i.invited_by_person_uid);

-- the hash of a password that was set by such a link, and who had seen it
alter table account add column shown_password_hash text, add column shown_to_person_uid uuid;
