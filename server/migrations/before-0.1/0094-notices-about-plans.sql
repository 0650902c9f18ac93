-- A mail or a text about a plan that was opened. Its link is made when it is sent.
alter table mail add column plan_notice_uid uuid;
create index mail_plan_notice on mail (plan_notice_uid) where plan_notice_uid is not null;

alter table sms add column plan_notice_uid uuid;
alter table sms drop constraint sms_kind_check;
alter table sms add constraint sms_kind_check check (kind in ('event_message', 'warden_alert', 'event_concluded',
  'sign_in_link', 'report_in_link', 'message', 'offer', 'command', 'instruction', 'plan'));
create index sms_plan_notice on sms (plan_notice_uid) where plan_notice_uid is not null;
