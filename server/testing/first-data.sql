-- A running event as the tables of migration 0003 hold it: a row in each of them at least. Example people only.
insert into client (uid, code, name, sms_allowed) values ('c0000000-0000-4000-8000-000000000001', 'C1', 'First Client', true);
insert into site (client_uid, uid, code, name, timezone) values
  ('c0000000-0000-4000-8000-000000000001', '50000000-0000-4000-8000-000000000001', 'S1', 'Old Wharf', 'Australia/Sydney');
insert into building (client_uid, uid, site_uid, code, name) values
  ('c0000000-0000-4000-8000-000000000001', 'b0000000-0000-4000-8000-000000000001', '50000000-0000-4000-8000-000000000001', 'B1', 'Tower A');
insert into floor (client_uid, uid, building_uid, code, name, level) values
  ('c0000000-0000-4000-8000-000000000001', 'f0000000-0000-4000-8000-000000000001', 'b0000000-0000-4000-8000-000000000001', 'F1', 'Level 1', 1);
insert into floor_status (client_uid, uid, code, name, colour, display_order) values
  ('c0000000-0000-4000-8000-000000000001', 'f5000000-0000-4000-8000-000000000001', 'FS1', 'Not started', '#888888', 1);
insert into account (uid, email, mobile) values
  ('a0000000-0000-4000-8000-000000000001', 'grace@first.test', '61491000001'),
  ('a0000000-0000-4000-8000-000000000002', 'oliver@first.test', '61491000002');
insert into person (client_uid, uid, code, account_uid, first_name, last_name, email, mobile, primary_floor_uid) values
  ('c0000000-0000-4000-8000-000000000001', 'e0000000-0000-4000-8000-000000000001', 'P1', 'a0000000-0000-4000-8000-000000000001',
    'Grace', 'Hill', 'grace@first.test', '61491000001', 'f0000000-0000-4000-8000-000000000001'),
  ('c0000000-0000-4000-8000-000000000001', 'e0000000-0000-4000-8000-000000000002', 'P2', 'a0000000-0000-4000-8000-000000000002',
    'Oliver', 'Dunn', 'oliver@first.test', '61491000002', 'f0000000-0000-4000-8000-000000000001'),
  ('c0000000-0000-4000-8000-000000000001', 'e0000000-0000-4000-8000-000000000003', 'P3', null,
    'Amelia', 'Stone', null, '61491000003', 'f0000000-0000-4000-8000-000000000001');
insert into peep (client_uid, person_uid, disability, summary) values
  ('c0000000-0000-4000-8000-000000000001', 'e0000000-0000-4000-8000-000000000003', 'Deaf', 'Tell in person');
insert into warden_role (client_uid, uid, code, name, area_domain, modules) values
  ('c0000000-0000-4000-8000-000000000001', '40000000-0000-4000-8000-000000000001', 'R1', 'Floor Warden', 'Floor',
    '{Floor_Evacuation,Evacuee_Safety,Warden_Messaging,My_Messages}'),
  ('c0000000-0000-4000-8000-000000000001', '40000000-0000-4000-8000-000000000002', 'R2', 'Chief Warden', 'Site',
    '{Event_Management,Floor_Warden_Status,Wardens_On_Duty,Warden_Messaging,My_Messages}');
insert into warden_assignment (client_uid, uid, person_uid, role_uid, site_uid, date_from, date_to, status) values
  ('c0000000-0000-4000-8000-000000000001', 'aa000000-0000-4000-8000-000000000001', 'e0000000-0000-4000-8000-000000000001',
    '40000000-0000-4000-8000-000000000001', '50000000-0000-4000-8000-000000000001', '2020-01-01', '2099-12-31', 'Accepted'),
  ('c0000000-0000-4000-8000-000000000001', 'aa000000-0000-4000-8000-000000000002', 'e0000000-0000-4000-8000-000000000002',
    '40000000-0000-4000-8000-000000000002', '50000000-0000-4000-8000-000000000001', '2020-01-01', '2099-12-31', 'Accepted');
insert into assignment_location (client_uid, assignment_uid, floor_uid) values
  ('c0000000-0000-4000-8000-000000000001', 'aa000000-0000-4000-8000-000000000001', 'f0000000-0000-4000-8000-000000000001');
insert into event_type (client_uid, uid, code, type, message) values
  ('c0000000-0000-4000-8000-000000000001', 'e7000000-0000-4000-8000-000000000001', 'E1', 'Fire', 'Fire alarm. Evacuate now.');
insert into message_template (client_uid, code, type, text) values
  ('c0000000-0000-4000-8000-000000000001', 'T1', 'Evacuee', 'Are you safe?');
insert into document (client_uid, code, name, url, site_uid) values
  ('c0000000-0000-4000-8000-000000000001', 'D1', 'Emergency plan', 'https://plans.example/wharf.pdf', '50000000-0000-4000-8000-000000000001');

insert into event (client_uid, uid, site_uid, event_type_uid, message, broadcast, alert) values
  ('c0000000-0000-4000-8000-000000000001', 'ee000000-0000-4000-8000-000000000001', '50000000-0000-4000-8000-000000000001',
    'e7000000-0000-4000-8000-000000000001', 'Fire alarm. Evacuate now.', true, true);
insert into event_building (client_uid, event_uid, building_uid) values
  ('c0000000-0000-4000-8000-000000000001', 'ee000000-0000-4000-8000-000000000001', 'b0000000-0000-4000-8000-000000000001');
insert into event_floor (client_uid, event_uid, floor_uid, building_uid, floor_status_uid) values
  ('c0000000-0000-4000-8000-000000000001', 'ee000000-0000-4000-8000-000000000001', 'f0000000-0000-4000-8000-000000000001',
    'b0000000-0000-4000-8000-000000000001', 'f5000000-0000-4000-8000-000000000001');
insert into warden_sign_in (client_uid, uid, event_uid, assignment_uid, person_uid, reported_in, on_duty, on_duty_at) values
  ('c0000000-0000-4000-8000-000000000001', '51000000-0000-4000-8000-000000000001', 'ee000000-0000-4000-8000-000000000001',
    'aa000000-0000-4000-8000-000000000001', 'e0000000-0000-4000-8000-000000000001', false, false, null),
  ('c0000000-0000-4000-8000-000000000001', '51000000-0000-4000-8000-000000000002', 'ee000000-0000-4000-8000-000000000001',
    'aa000000-0000-4000-8000-000000000002', 'e0000000-0000-4000-8000-000000000002', true, true, now());
insert into session (token_hash, account_uid, client_uid, person_uid, assignment_uid, sign_in_method, expires_at) values
  ('\x01', 'a0000000-0000-4000-8000-000000000002', 'c0000000-0000-4000-8000-000000000001', 'e0000000-0000-4000-8000-000000000002',
    'aa000000-0000-4000-8000-000000000002', 'Email', now() + interval '1 hour');
insert into evacuee (client_uid, uid, event_uid, person_uid, sort_name, home_building_uid, home_floor_uid, building_uid, floor_uid, status) values
  ('c0000000-0000-4000-8000-000000000001', 'ec000000-0000-4000-8000-000000000001', 'ee000000-0000-4000-8000-000000000001',
    'e0000000-0000-4000-8000-000000000003', 'amelia stone', 'b0000000-0000-4000-8000-000000000001', 'f0000000-0000-4000-8000-000000000001',
    'b0000000-0000-4000-8000-000000000001', 'f0000000-0000-4000-8000-000000000001', 'danger');
insert into tally (client_uid, event_uid, place_uid, building_uid, danger) values
  ('c0000000-0000-4000-8000-000000000001', 'ee000000-0000-4000-8000-000000000001', 'f0000000-0000-4000-8000-000000000001',
    'b0000000-0000-4000-8000-000000000001', 1);
insert into mobile_token (account_uid, phone, token_hash, expires_at) values
  ('a0000000-0000-4000-8000-000000000001', '61491000001', '\x02', now() + interval '3 minutes');
insert into report_in_link (client_uid, uid, event_uid, sign_in_uid, token_hash, expires_at) values
  ('c0000000-0000-4000-8000-000000000001', '11000000-0000-4000-8000-000000000001', 'ee000000-0000-4000-8000-000000000001',
    '51000000-0000-4000-8000-000000000001', '\x03', now() + interval '1 day');
insert into sign_in_log (client_uid, account_uid, person_uid, method) values
  ('c0000000-0000-4000-8000-000000000001', 'a0000000-0000-4000-8000-000000000002', 'e0000000-0000-4000-8000-000000000002', 'Email');
insert into message (client_uid, event_uid, kind, direction, sender_sign_in_uid, recipient_sign_in_uid, evacuee_uid, text) values
  ('c0000000-0000-4000-8000-000000000001', 'ee000000-0000-4000-8000-000000000001', 'warden', 'out',
    '51000000-0000-4000-8000-000000000002', '51000000-0000-4000-8000-000000000001', null, 'Where are you?'),
  ('c0000000-0000-4000-8000-000000000001', 'ee000000-0000-4000-8000-000000000001', 'evacuee', 'in', null, null,
    'ec000000-0000-4000-8000-000000000001', 'I am on the stairs');
insert into sms (client_uid, event_uid, kind, person_uid, to_mobile, body, status, valid_until) values
  ('c0000000-0000-4000-8000-000000000001', 'ee000000-0000-4000-8000-000000000001', 'event_message',
    'e0000000-0000-4000-8000-000000000003', '61491000003', 'Fire alarm. Evacuate now.', 'delivered', null),
  ('c0000000-0000-4000-8000-000000000001', 'ee000000-0000-4000-8000-000000000001', 'warden_alert',
    'e0000000-0000-4000-8000-000000000001', '61491000001', 'Report in: {link}', 'queued', now() + interval '15 minutes');
insert into journal (client_uid, event_uid, action, subject_type, subject_uid, after) values
  ('c0000000-0000-4000-8000-000000000001', 'ee000000-0000-4000-8000-000000000001', 'event_started', 'event',
    'ee000000-0000-4000-8000-000000000001', '{"message": "Fire alarm. Evacuate now."}');
insert into feed_epoch (system_identifier) values ('1');
insert into idempotency (person_uid, key, fingerprint) values ('e0000000-0000-4000-8000-000000000002', 'k1', '\x04');
insert into throttle (key, window_start, count) values ('login:203.0.113.7', date_trunc('hour', now()), 1);
