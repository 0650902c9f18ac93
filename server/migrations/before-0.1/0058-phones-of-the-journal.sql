-- Which phone made an entry, and what kind of phone it is. No foreign key: entries outlive sessions.

alter table journal add column session_uid uuid;
alter table session add column device text
  check (device in ('iPhone', 'iPad', 'Android', 'Windows', 'Mac', 'Linux', 'other'));
