#!/bin/sh
# Certificates for tests: authority.sh FOLDER
# Makes ca.pem; server.pem (localhost, 127.0.0.1, test.internal), elsewhere.pem (another name) and expired.pem with their
# .key; client.pem with client.key; stranger.pem (a client of an authority that nobody knows); server.pin and client.pin
# (sha256/… of the public key, RFC 7469).
set -eu
cd "$1"
key() { openssl ecparam -name prime256v1 -genkey -noout -out "$1.key" 2>/dev/null; }
authority() {
    key "$1"
    openssl req -x509 -new -key "$1.key" -sha256 -days 30 -subj "/CN=taskhost test $1" -out "$1.pem" \
        -addext basicConstraints=critical,CA:TRUE -addext keyUsage=critical,keyCertSign
}
# NAME AUTHORITY EXTENSIONS
certificate() {
    key "$1"
    printf '%s\n' "$3" >"$1.extensions"
    openssl req -new -key "$1.key" -subj "/CN=$1" -out "$1.request"
    openssl x509 -req -in "$1.request" -CA "$2.pem" -CAkey "$2.key" -CAcreateserial -sha256 -days 30 \
        -extfile "$1.extensions" -out "$1.pem" 2>/dev/null
}
pin() {
    printf 'sha256/%s\n' "$(openssl x509 -in "$1.pem" -pubkey -noout | openssl pkey -pubin -outform der |
        openssl dgst -sha256 -binary | openssl base64)" >"$1.pin"
}
authority ca
authority other
certificate server ca 'subjectAltName=DNS:localhost,DNS:test.internal,IP:127.0.0.1'
certificate elsewhere ca 'subjectAltName=DNS:elsewhere.example'
certificate client ca 'extendedKeyUsage=clientAuth'
certificate stranger other 'extendedKeyUsage=clientAuth'
# Yesterday's: openssl x509 takes no dates in Debian 12, openssl ca does.
key expired
openssl req -new -key expired.key -subj /CN=expired -out expired.request
printf '%s\n' '[ca]' 'default_ca=it' '[it]' 'new_certs_dir=.' 'database=index.txt' 'serial=serial.txt' \
    'default_md=sha256' 'policy=any' 'x509_extensions=names' '[any]' 'commonName=supplied' \
    '[names]' 'subjectAltName=DNS:localhost,IP:127.0.0.1' >ca.configuration
: >index.txt
echo 1000 >serial.txt
openssl ca -batch -notext -config ca.configuration -cert ca.pem -keyfile ca.key -startdate 20200101000000Z \
    -enddate 20200102000000Z -in expired.request -out expired.pem 2>/dev/null
pin server
pin client
chmod 644 ./*.key
