-- A broadcast stands in each receiver's thread as the message of whoever sent it.
alter table broadcast
  add column sender_sign_in_uid uuid,
  add foreign key (client_uid, sender_sign_in_uid) references warden_sign_in;
