-- An account belongs to one organisation, and stands for one of its people. Who is a warden of two organisations has an
-- account in each. The column is not named client_uid: accounts are read across clients at sign-in.
alter table account add column owner_client_uid uuid references client;

-- The people of accounts that several organisations share. `own` keeps the account, the others get one of their own.
create temporary table shared on commit drop as
select p.client_uid, p.uid as person_uid, a.uid as account_uid,
  row_number() over (partition by a.uid order by p.created_at, p.uid) = 1 as own,
  gen_random_uuid() as new_uid,
  -- A sign-in name that the organisation does not have for this person may have been filled in by another.
  case when lower(a.email) = lower(p.email) then a.email end as email,
  case when a.mobile = p.mobile then a.mobile end as mobile,
  a.username,
  -- A password stays where it is known to be this person's: set by a link to the address that their organisation has, or
  -- made with the account and the person in one import, and untouched since. Elsewhere the next import, or a link, sets one.
  (a.password_hash is distinct from a.imported_password_hash and lower(a.email) = lower(p.email))
    or (a.password_hash = a.imported_password_hash and p.created_at = a.created_at and a.updated_at = a.created_at) as keeps,
  a.password_hash, a.imported_password_hash, a.active
from account a join person p on p.account_uid = a.uid
where (select count(*) from person o where o.account_uid = a.uid) > 1;

update session set revoked_at = now()
where account_uid in (select account_uid from shared) and revoked_at is null;
update mobile_token set voided_at = now()
where account_uid in (select account_uid from shared) and used_at is null and voided_at is null;
update password_reset set voided_at = now()
where account_uid in (select account_uid from shared) and used_at is null and voided_at is null;

drop index account_email;
drop index account_username;
drop index account_mobile;

insert into account (uid, owner_client_uid, email, username, mobile, password_hash, imported_password_hash, active)
select new_uid, client_uid, email, username, mobile, case when keeps then password_hash end,
  case when keeps then imported_password_hash end, active
from shared where not own;
update person p set account_uid = s.new_uid
from shared s where p.client_uid = s.client_uid and p.uid = s.person_uid and not s.own;
update account a set email = s.email, mobile = s.mobile, password_hash = case when s.keeps then a.password_hash end,
  imported_password_hash = case when s.keeps then a.imported_password_hash end
from shared s where a.uid = s.account_uid and s.own;

update account a set owner_client_uid = p.client_uid from person p where p.account_uid = a.uid;
-- Nobody stands behind these: whoever had one has become a visitor.
update account set email = null, username = null, mobile = null where owner_client_uid is null;

alter table account add check (owner_client_uid is not null or coalesce(email, username, mobile) is null);
alter table account add constraint account_of_client unique (owner_client_uid, uid);
alter table person add foreign key (client_uid, account_uid) references account (owner_client_uid, uid);
-- For a sign-in, which reads across organisations, and for what is one person's within one.
create unique index account_email on account (lower(email), owner_client_uid);
create unique index account_username on account (lower(username), owner_client_uid);
create unique index account_mobile on account (mobile, owner_client_uid);

-- What else a session opens beside its own account: those of the same person elsewhere that the same sign-in proved.
alter table session add column further_account_uids uuid[] not null default '{}';
create index session_further_accounts on session using gin (further_account_uids) where revoked_at is null;

-- The address that a link went to. The link sets the password of whoever has that address while it is used.
alter table password_reset add column email text;
update password_reset r set voided_at = now() where used_at is null and voided_at is null and account_uid is not null;
