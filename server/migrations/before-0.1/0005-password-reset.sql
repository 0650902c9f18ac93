-- Passwords set anew by a link in a mail, and the mails we owe somebody.

-- A row for each request, also where nobody has the address (account_uid is null then): both cost the same. The link's
-- token is made from the uid at sending; only its SHA-256 is kept.
create table password_reset (
  uid uuid primary key,
  account_uid uuid references account,
  token_hash bytea not null unique,
  created_at timestamptz not null default now(),
  expires_at timestamptz not null,
  used_at timestamptz,
  voided_at timestamptz
);
create index password_reset_account on password_reset (account_uid) where used_at is null and voided_at is null;
create index password_reset_expiry on password_reset (expires_at);

-- A new password ends every session of its account.
create index session_account on session (account_uid) where revoked_at is null;

-- Outgoing mails. The row is the truth, a job only carries a uid; states, lease and tries as in sms. A mail is for an
-- account, which is no tenant's.
create table mail (
  uid uuid primary key default gen_random_uuid(),
  kind text not null check (kind in ('password_reset', 'password_changed')),
  account_uid uuid references account,
  -- null when there is nobody to send to
  to_email text,
  subject text not null,
  -- '{link}' stands for the person's own link; its token is made at sending and never stored
  body text not null,
  password_reset_uid uuid references password_reset on delete set null,
  status text not null default 'queued' check (status in ('queued', 'handed_over', 'failed', 'expired', 'skipped')),
  reason text,
  created_at timestamptz not null default now(),
  valid_until timestamptz not null,
  changed_at timestamptz not null default now(),
  claimed_until timestamptz,
  attempts integer not null default 0,
  check (to_email is not null or status <> 'queued')
);
create index mail_due on mail (valid_until) where status = 'queued';
create index mail_age on mail (created_at);
create index mail_password_reset on mail (password_reset_uid) where password_reset_uid is not null;

-- What has arrived in the simulated mailboxes. The key is the mail's own uid: handing it over twice shows it once.
create table simulated_mail (
  uid uuid primary key,
  to_email text not null,
  subject text not null,
  body text not null,
  received_at timestamptz not null default now()
);
create index simulated_mail_box on simulated_mail (lower(to_email), received_at);

grant select, insert, update, delete on password_reset, mail to evac_system;
grant select, insert, delete on simulated_mail to evac_system;
