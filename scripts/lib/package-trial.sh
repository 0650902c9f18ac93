#!/bin/bash
# Runs inside a bare Debian root, without a network: the steps of docs/operations/debian.md from the database on.
set -eu
cd /opt/evac
export PATH=/opt/evac/.runtime/node_modules/.bin:$PATH
trap 'nginx -s stop 2>/dev/null; pg_ctlcluster 15 main stop -m fast; kill $(jobs -p) 2>/dev/null' EXIT

pg_ctlcluster 15 main start
if [ -f docs/database-setup.sql ]; then
  su postgres -c 'psql -q -v database=evac -v owner=evac -f docs/database-setup.sql'
else
  su postgres -c 'psql -qc "create role evac login createrole"'
  su postgres -c 'createdb --owner=evac --encoding=UTF8 --template=template0 evac'
fi
su postgres -c "psql -qc \"alter role evac password 'trial'\""
useradd --system --home /var/lib/evac --shell /usr/sbin/nologin evac
install -d -o evac -g evac -m 700 /var/lib/evac
cat > /etc/evac.env <<X
DATABASE_URL=postgres://evac:trial@127.0.0.1/evac
SECRET_KEY=$(node -p "crypto.randomBytes(32).toString('base64url')")
APP_URL=https://evac.example
HOST=127.0.0.1
TRUST_PROXY=1
X
chmod 600 /etc/evac.env
echo 127.0.0.1 localhost evac.example > /etc/hosts

openssl req -x509 -newkey rsa:2048 -nodes -days 2 -subj /CN=evac.example -addext subjectAltName=DNS:evac.example \
  -keyout /etc/ssl/evac.key -out /etc/ssl/evac.pem 2>/dev/null
sed -e 's#/etc/letsencrypt/live/evac.example/fullchain.pem#/etc/ssl/evac.pem#' \
  -e 's#/etc/letsencrypt/live/evac.example/privkey.pem#/etc/ssl/evac.key#' \
  docs/operations/nginx.conf > /etc/nginx/sites-available/evac
ln -s ../sites-available/evac /etc/nginx/sites-enabled/evac
rm /etc/nginx/sites-enabled/default
nginx

as_evac() {
  runuser -u evac -- env $(cat /etc/evac.env) NODE_ENV=production DATA_DIR=/var/lib/evac \
    NODE_EXTRA_CA_CERTS=/etc/ssl/evac.pem "PATH=$PATH" "$@"
}
as_evac node server/src/import-main.ts server/demo/harbour ${IMPORT_FLAGS:-} > /dev/null
as_evac node server/src/main.ts > /tmp/evac.log 2>&1 &
for _ in $(seq 120); do
  curl -sf http://127.0.0.1:8080/health/ready > /dev/null && break
  sleep 0.5
done
cat /tmp/evac.log
as_evac node server/src/doctor-main.ts
curl -sf http://127.0.0.1:8080/metrics > /tmp/metrics.txt
curl -sf --cacert /etc/ssl/evac.pem https://evac.example/login | grep -q 'assets/' && echo 'ok      the page is served'
curl -sf --cacert /etc/ssl/evac.pem -H 'content-type: application/json' \
  -d '{"email":"chief@harbour.test","password":"evacuate1"}' https://evac.example/api/v2/auth/login | grep -qi token &&
  echo 'ok      sign-in through nginx'
