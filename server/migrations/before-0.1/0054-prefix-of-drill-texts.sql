-- What was put before a text when it was claimed. The body stays as written.
alter table sms add column prefix text not null default '';
