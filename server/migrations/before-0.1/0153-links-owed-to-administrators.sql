-- a second factor is set up through a link only: who had none before is mailed one
alter table administrator add column owed_link boolean not null default false;
update administrator g set owed_link = true
from person p join account ac on ac.uid = p.account_uid and ac.active and ac.password_hash is not null
where p.client_uid = g.client_uid and p.uid = g.person_uid and p.active and g.revoked_at is null
  and not exists (select from second_factor f where f.account_uid = ac.uid);
