#!/bin/bash
# Runs inside a bare Debian root, without a network: docs/operations/debian.md from the database on, then the runbook.
set -eEu
cd /opt/evac
ok() { echo "ok      $* (${SECONDS} s)"; }
trap 'echo "FAULT   line $LINENO: $BASH_COMMAND"; tail -n 20 /tmp/evac.log /tmp/said /tmp/socket 2> /dev/null' ERR

# 3. The database
pg_ctlcluster 15 main start
su postgres -c 'psql -q -v database=evac -v owner=evac -f docs/database-setup.sql'
su postgres -c "psql -qc \"alter role evac password 'trial'\""

# 4. Account and folder, 5. settings
useradd --system --home /var/lib/evac --shell /usr/sbin/nologin evac
install -d -o evac -g evac -m 700 /var/lib/evac
install -o root -g evac -m 640 /dev/null /etc/evac.env
ln -s /etc/evac.env .env
cat > /etc/evac.env <<SETTINGS
NODE_ENV=production
DATA_DIR=/var/lib/evac
DATABASE_URL=postgres://evac:trial@127.0.0.1/evac
SECRET_KEY=$(openssl rand -hex 32)
METRICS_TOKEN=$(openssl rand -hex 32)
APP_URL=https://evac.example
HOST=127.0.0.1
TRUST_PROXY=1
SETTINGS
evac() { su evac -s /bin/sh -c "cd /opt/evac && NODE_EXTRA_CA_CERTS=/etc/ssl/evac.pem $*" > /tmp/said 2>&1; }
expect() { grep -q -- "$1" "${2:-/tmp/said}"; }

# 6. The service: the command line and the surroundings of the unit, and the check of it that needs no running systemd
unit=docs/operations/evac.service
systemd-analyze verify "$PWD/$unit"
start_evac() {
  exec env -i $(sed -n 's/^Environment=//p' $unit) $(cat /etc/evac.env) "$@" \
    setpriv --reuid=evac --regid=evac --init-groups $(sed -n 's/^ExecStart=//p' $unit)
}
answers() { for _ in $(seq 300); do [ "$(curl -so /dev/null -w '%{http_code}' "$1")" = "$2" ] && return; sleep 0.1; done; false; }
start_evac >> /tmp/evac.log 2>&1 &
service=$!
answers http://127.0.0.1:8080/health/ready 200
ok 'the service started on a database of docs/database-setup.sql, as the account evac'

# 7. nginx, with a certificate of our own
echo 127.0.0.1 localhost evac.example > /etc/hosts
openssl req -x509 -newkey rsa:2048 -nodes -days 90 -subj /CN=evac.example -addext subjectAltName=DNS:evac.example \
  -keyout /etc/ssl/evac.key -out /etc/ssl/evac.pem 2> /dev/null
sed -e 's#/etc/letsencrypt/live/evac.example/fullchain.pem#/etc/ssl/evac.pem#' \
  -e 's#/etc/letsencrypt/live/evac.example/privkey.pem#/etc/ssl/evac.key#' docs/operations/nginx.conf > /etc/nginx/sites-available/evac
ln -s ../sites-available/evac /etc/nginx/sites-enabled/evac
rm /etc/nginx/sites-enabled/default
nginx -q -t
nginx
browse() { curl -sS --cacert /etc/ssl/evac.pem "$@"; }
browse https://evac.example/login | grep -q 'assets/'
ok 'nginx serves the page over TLS'

# 8. Organisations
node scripts/make-organisation.mjs /tmp/first --code FIRST --people 400 --buildings 3 --password 'a long password'
node scripts/make-organisation.mjs /tmp/second --code SECOND --people 100 --buildings 3 --mobiles 0493
evac npm run import -- /tmp/first --dry-run
evac npm run organisation -- list
if expect FIRST; then false; fi
evac npm run import -- /tmp/first
code=0; evac npm run import -- /tmp/second || code=$?
[ $code = 3 ]
expect new-organisation
evac npm run import -- /tmp/second --new-organisation
sed -i '300,$d' /tmp/first/people.csv
rm /tmp/first/peeps.csv
code=0; evac npm run import -- /tmp/first --deactivate-missing || code=$?
[ $code = 3 ]
expect yes-end
ok 'an import, after its dry run; an unknown code and 100 leavers are refused'

# 9. The doctor, and people
evac npm run doctor
expect 'Nothing to fix'
expect 'Live updates work'
grep WARNING /tmp/said || true
ok 'the doctor finds nothing wrong'
email=$(sed -n 2p /tmp/first/people.csv | tr , '\n' | grep @)
sign_in() {
  browse -H 'content-type: application/json' -d "{\"email\":\"$email\",\"password\":\"a long password\"}" \
    -o /tmp/session https://evac.example/api/v2/auth/login
  grep -q '"access_token":"' /tmp/session
}
sign_in
ok 'a sign-in through nginx'
# The chief starts an event and holds a live socket: 'open' when the hub has taken its token, then the code with which it closes.
NODE_EXTRA_CA_CERTS=/etc/ssl/evac.pem .runtime/node_modules/.bin/node --input-type=module - "$email" > /tmp/socket 2>&1 <<'JS' &
  import { createEvent, listEventSites } from '#features/events/calls/events.ts'
  import { callerOf } from '#kernel/client/fetch-caller.ts'
  import { getChannelToken } from '#features/live-updates/calls/realtime.ts'
  import { login } from '#features/sign-in/calls/sign-in.ts'

  const url = 'https://evac.example'
  const { access_token } = await callerOf(url)(login, { body: { email: process.argv[2], password: 'a long password' } })
  const chief = callerOf(url, access_token)
  const { sites, eventTypes } = (await chief(listEventSites, {})).data
  const buildings = [sites[0].buildings[0].id]
  const words = { message: 'Evacuate now.', broadcastMessage: 'no', alertToWarden: 'no' }
  await chief(createEvent, { body: { buildings, eventType: eventTypes[0].id, ...words } })
  const { token } = await chief(getChannelToken, {})
  const socket = new WebSocket('wss://evac.example/connection/websocket', { headers: { origin: url } })
  socket.onopen = () => socket.send(JSON.stringify({ id: 1, connect: { token } }))
  socket.onmessage = ({ data }) => (data.includes('"connect"') ? console.log('open') : data === '{}' && socket.send('{}'))
  socket.onclose = ({ code }) => process.exit(console.log('closed', code))
JS
socket=$!
for _ in $(seq 100); do expect open /tmp/socket && break; sleep 0.1; done || true
[ "$(cat /tmp/socket)" = open ]
ok 'an event, and a live socket through nginx'
code=0; evac npm run organisation -- suspend FIRST || code=$?
[ $code = 1 ]
expect even-in-event
evac npm run organisation -- suspend FIRST --even-in-event
wait $socket
expect closed /tmp/socket
if sign_in; then false; fi
evac npm run organisation -- resume FIRST
sign_in
ok "a suspended organisation, in its event only when told so: its socket is $(tail -n 1 /tmp/socket), nobody signs in; resumed, they do"

# The runbook: backup and restore, the database away, everybody out
evac npm run backup -- /var/lib/evac/backup
su postgres -c 'psql -q -v database=second -v owner=second -f docs/database-setup.sql'
su postgres -c "psql -qc \"alter role second password 'trial'\""
second='DATABASE_URL=postgres://second:trial@127.0.0.1/second DATA_DIR=/var/lib/evac/second'
evac $second npm run restore -- /var/lib/evac/backup
evac $second npm run organisation -- list
expect FIRST
expect SECOND
ok 'a backup, restored into a second database with an owner of its own'
pg_ctlcluster 15 main stop -m fast
answers http://127.0.0.1:8080/health/ready 503
code=0; (start_evac PORT=8081) > /tmp/said 2>&1 || code=$?
[ $code = 1 ]
expect 'cannot be reached'
pg_ctlcluster 15 main start
answers http://127.0.0.1:8080/health/ready 200
sign_in
ok 'the database away and back: 503, a second start ends with 1, the first goes on by itself'
evac npm run sign-everybody-out
expect 'have ended'
token=$(grep -o '"access_token":"[^"]*' /tmp/session | cut -d'"' -f4)
[ "$(browse -o /dev/null -w '%{http_code}' -H "authorization: Bearer $token" https://evac.example/api/v2/warden/channel-token)" = 401 ]
ok 'everybody is signed out'
kill $service
code=0; wait $service || code=$?
[ $code = 0 ]
node -e "
  const lines = require('fs').readFileSync('/tmp/evac.log', 'utf8').trim().split('\n')
  const plain = lines.filter((line) => line.startsWith('No organisation yet. Set up: https://evac.example/console/set-up#'))
  if (plain.length !== 1) throw new Error('the first start prints once how to set up')
  for (const line of lines.filter((line) => !plain.includes(line))) {
    const { time, level, msg } = JSON.parse(line)
    if (!time || !level || !msg) throw new Error(line)
    console.log('  log ', level, msg)
  }"
ok 'the service stopped with 0; its log is JSON lines, but for the address of the set-up'

# The image: what the second stage of the Dockerfile copies, its surroundings, its command and the check of its health
grep -oP '^COPY --from=build /opt/evac/\K.*' Dockerfile | while read -r from to; do
  install -d "/opt/image/$to"
  if [ -d "$from" ]; then from=$from/.; fi
  cp -a "$from" "/opt/image/$to"
done
words() { grep -oP "$1\K\[.*" Dockerfile | node -e "for (const word of JSON.parse(require('fs').readFileSync(0))) process.stdout.write(word + '\0')"; }
inside_image() {
  cd /opt/image
  exec env -i $(sed -n 's/^ENV //p' /opt/evac/Dockerfile) $(cat /etc/evac.env) HOST=0.0.0.0 NODE_EXTRA_CA_CERTS=/etc/ssl/evac.pem "PATH=/opt/evac/.runtime/node_modules/.bin:$PATH" \
    setpriv --reuid=evac --regid=evac --init-groups "$@"
}
mapfile -d '' -t command < <(words '^CMD ')
mapfile -d '' -t health < <(words '^  CMD ')
(inside_image "${command[@]}") > /tmp/evac.log 2>&1 &
service=$!
for _ in $(seq 300); do (inside_image "${health[@]}") 2> /dev/null && break; sleep 0.1; done
(inside_image "${health[@]}")
answers http://127.0.0.1:8080/health/ready 200
sign_in
(inside_image node server/commands/doctor-main.ts) > /tmp/said 2>&1
expect 'Nothing to fix'
kill $service
code=0; wait $service || code=$?
[ $code = 0 ]
if (inside_image "${health[@]}") 2> /dev/null; then false; fi
ok 'what the image holds starts by itself, is healthy, signs people in and stops with 0'
