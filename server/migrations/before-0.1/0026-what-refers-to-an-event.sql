-- What refers to a warden's sign-in, or to a link, is looked for when an event is deleted: without these all texts
-- and messages of the client were walked for each of them. Texts to everybody carry neither and are in none of them.
create index sms_sign_in on sms (client_uid, sign_in_uid) where sign_in_uid is not null;
create index sms_link on sms (client_uid, link_uid) where link_uid is not null;
create index message_from on message (client_uid, sender_sign_in_uid) where sender_sign_in_uid is not null;
create index message_to on message (client_uid, recipient_sign_in_uid) where recipient_sign_in_uid is not null;
create index report_in_link_event on report_in_link (client_uid, event_uid);
create index report_in_link_sign_in on report_in_link (client_uid, sign_in_uid);
create index report_in_link_sender on report_in_link (client_uid, sender_sign_in_uid) where sender_sign_in_uid is not null;
-- sessions that were revoked refer to it, too
create index session_of_sign_in on session (client_uid, sign_in_uid) where sign_in_uid is not null;
drop index session_sign_in;
