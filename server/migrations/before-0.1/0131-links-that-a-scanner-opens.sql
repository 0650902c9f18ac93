-- A sign-in link that a program opened is not used up: its session is unproved until the first touch or key.

alter table session add column unproved boolean not null default false;
-- the unproved session that the link has opened. Another browser may still open the link and ends that session
alter table mobile_token add column session_uid uuid;
create index mobile_token_session on mobile_token (session_uid) where session_uid is not null;
