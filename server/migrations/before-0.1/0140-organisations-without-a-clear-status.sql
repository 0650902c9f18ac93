-- Organisations that were set up in the product had no floor status that means clear: no floor ever counted as clear.
update floor_status s set means_clear = true
where s.code = 'EVACUATED' and lower(btrim(s.name)) = 'evacuated'
  and not exists (select from floor_status other where other.client_uid = s.client_uid and other.means_clear);
