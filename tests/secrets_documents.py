"""Documents of the second planted corpus: (family, text), where `<<maker>>` stands for an invented secret.

`<<maker:oneline>>` is a block with its line ends spelled `\\n`, `<<maker:indent>>` one indented by four.
"""

__all__ = ["DOCUMENTS"]

_ENV = r"""
DEBUG=True
SECRET_KEY=<<an64>>
DATABASE_URL=postgres://app:<<pws>>@localhost:5432/app
EMAIL_HOST_USER=mailer@app.example
EMAIL_HOST_PASSWORD=<<pw>>
AWS_STORAGE_BUCKET_NAME=media
----
APP_NAME=Laravel
APP_KEY=base64:<<b44>>
DB_CONNECTION=mysql
DB_HOST=127.0.0.1
DB_USERNAME=homestead
DB_PASSWORD=<<pw>>
REDIS_PASSWORD=<<pwletters>>
MAIL_PASSWORD="<<phrase>>"
PUSHER_APP_SECRET=<<an20>>
----
NEXTAUTH_URL=http://localhost:3000
NEXTAUTH_SECRET="<<b44>>"
GITHUB_ID=Iv1.8a61f9b3a7aba766
GITHUB_SECRET=<<hex40>>
GOOGLE_CLIENT_SECRET=<<gsecret>>
NEXT_PUBLIC_API_URL=http://localhost:4000
----
RAILS_ENV=production
SECRET_KEY_BASE=<<hex64>>
RAILS_MASTER_KEY=<<hex32>>
SENDGRID_API_KEY=<<sendgrid>>
----
PORT=3000
MONGO_URI=mongodb+srv://admin:<<pws>>@cluster0.ab1cd.mongodb.net/prod?retryWrites=true&w=majority
JWT_SECRET=<<pwletters>>
SESSION_SECRET='<<phrase>>'
STRIPE_SECRET_KEY=<<stripe>>
STRIPE_WEBHOOK_SECRET=<<whsec>>
TWILIO_AUTH_TOKEN=<<hex32>>
----
OPENAI_API_KEY=<<openai>>
ANTHROPIC_API_KEY=<<anthropic>>
HF_TOKEN=<<hf>>
SUPABASE_SERVICE_ROLE_KEY=<<jwt>>
ALGOLIA_ADMIN_API_KEY=<<hex32>>
DEEPSEEK_API_KEY=sk-<<hex32>>
----
export PGPASSWORD='<<pwodd>>'
export TOKEN=<<an12>>
export API_TOKEN=<<an20>>
export ARTIFACTORY_PASSWORD="<<pwodd>>"
----
POSTGRES_USER=postgres
POSTGRES_PASSWORD=<<pwodd>>
POSTGRES_DB=app
PGADMIN_DEFAULT_PASSWORD=<<pwletters>>
GF_SECURITY_ADMIN_PASSWORD=<<pws>>
MINIO_ROOT_PASSWORD=<<pw>>
----
SMTP_PASS=<<pw>>
SMTP_HOST=smtp.example
IMAP_PASSWD = <<pw>>
FTP_PWD=<<pwletters>>
BASIC_AUTH_PASS=<<pws>>
ENCRYPTION_KEY=<<hex64>>
COOKIE_SECRET=<<an32>>
CSRF_SECRET=<<an32>>
----
PRIVATE_KEY="<<rsa:oneline>>"
FIREBASE_PRIVATE_KEY="<<pkcs8:oneline>>\n"
----
DISCORD_TOKEN=<<discord>>
TELEGRAM_BOT_TOKEN=<<telegram>>
SLACK_BOT_TOKEN=<<slackbot>>
SLACK_SIGNING_SECRET=<<hex32>>
DD_API_KEY=<<hex32>>
SENTRY_AUTH_TOKEN=<<hex64>>
CLOUDINARY_URL=cloudinary://123456789012345:<<an24>>@demo
ELASTIC_PASSWORD=<<pw>>
----
$ printenv | grep -i pass
DB_PASS=<<pw>>
RABBITMQ_DEFAULT_PASS=<<pwletters>>
$ echo $API_KEY
<<openaiold>>
----
set DB_PASSWORD=<<pws>>
setx API_KEY "<<an32>>"
$env:API_SECRET = "<<an32>>"
$Env:DB_PASSWORD='<<pwodd>>'
----
fish: set -x ACCESS_TOKEN <<an32>>
setenv ADMIN_PASSWORD <<pws>>
"""

_CI = r"""
2026-03-20T09:11:02.1834Z ##[group]Run docker/login-action@v3
2026-03-20T09:11:02.1834Z   username: ci
2026-03-20T09:11:02.1835Z   password: <<pw>>
2026-03-20T09:11:02.1836Z   logout: true
2026-03-20T09:11:02.1837Z env:
2026-03-20T09:11:02.1838Z   NPM_TOKEN: <<npm>>
2026-03-20T09:11:02.1838Z   DEPLOY_TOKEN: <<an32>>
----
$ docker login -u "$CI_REGISTRY_USER" -p <<glpat>> registry.gitlab.example
WARNING! Using --password via the CLI is insecure. Use --password-stdin.
Login Succeeded
----
+ echo <<pws>>
+ docker login --username ci --password-stdin registry.example
+ export 'SONAR_TOKEN=<<hex40>>'
+ SONAR_TOKEN=<<hex40>>
----
Step 4/9 : ARG NPM_TOKEN=<<npm>>
Step 5/9 : ENV DB_PASSWORD <<pws>>
Step 6/9 : ENV API_KEY=<<an32>>
----
jobs:
  test:
    environment:
      PGPASSWORD: <<pwletters>>
      CIRCLE_TOKEN: <<hex40>>
    steps:
      - run: curl -H "Circle-Token: <<hex40>>" https://circleci.com/api/v2/me
----
fatal: unable to access 'https://oauth2:<<glpat>>@gitlab.example/team/app.git/': The requested URL returned error: 403
----
remote: Invalid username or password.
fatal: Authentication failed for 'https://ann:<<pws>>@git.example/team/app.git/'
----
Cloning into 'app'...
+ git remote set-url origin https://x-access-token:<<ghs>>@github.com/acme/app.git
origin	https://<<ghp>>@github.com/acme/app.git (fetch)
----
withCredentials: USER=deploy PASS=<<pw>>
[Pipeline] sh
+ ./deploy.sh --user deploy --password <<pw>> --env prod
+ helm upgrade --install app ./chart --set db.password=<<pws>> --set image.tag=1.2.3
+ ansible-playbook site.yml -e ansible_become_pass=<<pws>> -e "db_password=<<pw>>"
"""

_INFRA = r"""
region         = "eu-west-1"
db_username    = "app"
db_password    = "<<pwodd>>"
admin_password = "<<phrase>>"
api_token      = "<<an40>>"
----
provider "digitalocean" {
  token = "<<hex64>>"
}
provider "aws" {
  access_key = "<<awsid>>"
  secret_key = "<<awssecret>>"
}
resource "random_password" "db" { length = 16 }
----
Outputs:

db_endpoint = "db.abc.eu-west-1.rds.amazonaws.com:5432"
db_password = "<<pw>>"
kube_admin_password = "<<pwletters>>"
----
{"outputs": {"db_password": {"value": "<<pw>>", "type": "string", "sensitive": true}}, "serial": 12}
----
resource "aws_db_instance" "main" {
  master_username      = "root"
  master_password      = "<<pw>>"
  password             = "<<pwletters>>"
  skip_final_snapshot  = true
}
----
apiVersion: v1
kind: Secret
metadata:
  name: app
type: Opaque
data:
  password: <<b64pw>>
  api-key: <<b64pw>>
----
apiVersion: v1
kind: Secret
metadata:
  name: registry
stringData:
  DB_PASSWORD: <<pw>>
  db-url: postgres://app:<<pws>>@db/app
  token: <<an40>>
----
apiVersion: v1
data:
  connection: <<b64pw>>
  smtp: <<b64pw>>
kind: Secret
metadata:
  name: mixed
----
    env:
      - name: LOG_LEVEL
        value: debug
      - name: MYSQL_PASSWORD
        value: <<pw>>
      - name: JWT_SIGNING_KEY
        value: "<<an40>>"
----
$ kubectl create secret generic db --from-literal=username=app --from-literal=password='<<pwodd>>'
secret/db created
$ kubectl get secret db -o jsonpath='{.data.password}' | base64 -d
----
users:
- name: admin
  user:
    client-certificate-data: LS0tLS1CRUdJTiBDRVJUSUZJQ0FURS0tLS0tCg==
    client-key-data: <<b64pem>>
- name: ci
  user:
    token: <<jwt>>
    password: <<an32>>
----
services:
  db:
    image: postgres:16
    environment:
      POSTGRES_USER: app
      POSTGRES_PASSWORD: <<pw>>
      POSTGRES_DB: app
  redis:
    command: redis-server --requirepass <<pws>>
  web:
    environment:
      - SECRET_KEY=<<an40>>
      - DB_PASSWORD=<<pwletters>>
      - MAIL_PASSWORD=<<pwodd>>
----
$ docker run -d --name db -e MYSQL_ROOT_PASSWORD=<<pwletters>> -e MYSQL_PASSWORD="<<phrase>>" -p 3306:3306 mysql:8
----
$ docker inspect web | jq '.[0].Config.Env'
[
  "PATH=/usr/local/bin:/usr/bin",
  "DB_PASSWORD=<<pw>>",
  "API_TOKEN=<<an32>>",
  "REDIS_URL=redis://:<<pws>>@cache:6379/0"
]
----
$ cat ~/.docker/config.json
{"auths": {"https://index.docker.io/v1/": {"auth": "<<basic>>"}, "ghcr.io": {"username": "ann", "password": "<<ghp>>"}}}
----
all:
  vars:
    ansible_user: root
    ansible_ssh_pass: <<pw>>
    ansible_become_password: <<pw>>
    vault_db_password: "<<pwodd>>"
----
apiVersion: v1
kind: Secret
metadata: {name: tls}
type: kubernetes.io/tls
data:
  tls.crt: LS0tLS1CRUdJTiBDRVJUSUZJQ0FURS0tLS0tCg==
  tls.key: <<b64pem>>
"""

_RC = r"""
//registry.npmjs.org/:_authToken=<<npm>>
//npm.pkg.example/:_password=<<b64pw>>
//npm.pkg.example/:username=ci
always-auth=true
_auth=<<basic>>
----
[distutils]
index-servers = pypi
[pypi]
username = __token__
password = <<pypi>>
[internal]
repository = https://pypi.internal.example/
username = ci
password = <<pw>>
----
machine api.heroku.com
  login ann@example.com
  password <<hex32>>
machine git.example login ann password <<pw>>
----
localhost:5432:app:app:<<pw>>
db.example.com:5432:*:postgres:<<pw>>
----
[client]
user=root
password=<<pwletters>>
host=localhost
[mysqldump]
password="<<pwodd>>"
----
https://ann:<<pws>>@github.com
https://ci:<<glpat>>@gitlab.com
----
[default]
aws_access_key_id = <<awsid>>
aws_secret_access_key = <<awssecret>>
aws_session_token = <<b300>>
----
<settings>
  <servers><server><id>nexus</id><username>ci</username><password><<pw>></password></server></servers>
</settings>
----
<packageSourceCredentials><feed>
<add key="Username" value="ci" />
<add key="ClearTextPassword" value="<<pw>>" />
</feed></packageSourceCredentials>
----
signing.keyId=24875D73
signing.password=<<pw>>
signing.secretKeyRingFile=/home/ann/.gnupg/secring.gpg
ossrhPassword=<<pws>>
nexusPassword=<<pwletters>>
----
{"http-basic": {"repo.example": {"username": "ann", "password": "<<pw>>"}}, "github-oauth": {"github.com": "<<ghp>>"}}
----
[registry]
token = "cio<<an32>>"
[registries.internal]
token = "Bearer <<an32>>"
----
credentials "app.terraform.io" {
  token = "<<an40>>"
}
----
---
:rubygems_api_key: rubygems_<<hex64>>
:internal: <<hex32>>
----
machine: x
[server]
requirepass <<pw>>
masterauth <<pws>>
----
spring.datasource.url=jdbc:postgresql://localhost/app
spring.datasource.username=app
spring.datasource.password=<<pwletters>>
spring.mail.password=<<pw>>
jwt.secret=<<an40>>
server.ssl.key-store-password=<<pws>>
----
spring:
  datasource:
    username: sa
    password: <<pws>>
  security:
    oauth2:
      client-secret: <<an32>>
----
"ConnectionStrings": { "Default": "Server=db;Database=app;User Id=sa;Password=<<pw>>;TrustServerCertificate=True" }
----
production:
  adapter: postgresql
  username: app
  password: <<pw>>
  host: db
----
[sqlalchemy]
url = mysql+pymysql://root:<<pws>>@127.0.0.1/app?charset=utf8mb4
[smtp]
smtp_user = bot
smtp_password = <<pw>>
----
host = mail.example
user = ann
pass = <<pw>>
port = 587
----
network={
  ssid="home"
  psk="<<phrase>>"
}
----
[Interface]
PrivateKey = <<b44>>
Address = 10.0.0.2/32
[Peer]
PublicKey = xTIBA5rboUvnH4htodjb6e697QjLERt1NAB4mZqp8Dg=
PresharedKey = <<b44>>
----
tailscale up --authkey tskey-auth-<<an32>> --ssh
wg set wg0 private-key /etc/wg.key
----
auth_basic: on
ldap.bind_dn: cn=admin,dc=example
ldap.bind_password: <<pw>>
bindpw <<pws>>
"""

_HTTP = r"""
curl -s -u admin:<<pw>> https://jenkins.example/api/json
----
curl -X POST https://api.example/v1/login -H 'Content-Type: application/json' -d '{"username":"ann","password":"<<pw>>"}'
----
curl https://api.example/login --data "username=ann&password=<<pws>>&remember=1"
----
curl -d 'grant_type=client_credentials&client_id=web&client_secret=<<an32>>' https://id.example/oauth/token
----
curl -H "Authorization: Bearer <<an40>>" -H 'Accept: application/json' https://api.example/v2/me
----
curl -H "X-Api-Key: <<an20>>" -H "X-Auth-Token: <<an32>>" https://api.example/x
----
curl "https://maps.example/geocode?address=Main+St&key=<<google>>"
----
GET /v1/items?api_key=<<an12>>&page=2 HTTP/1.1
Host: api.example
User-Agent: curl/8.5.0
X-API-Key: <<an12>>
Authorization: Basic <<basic>>
Cookie: sessionid=<<an32>>; csrftoken=<<an32>>; theme=dark
----
< HTTP/2 200
< content-type: application/json
< set-cookie: session=<<u43>>; Path=/; HttpOnly; Secure
< x-auth-token: <<an40>>
< x-request-id: 0f8fad5b-d9cb-469f-a165-70867728950e
----
https://app.example/callback?code=4%2F0AX4XfWh&access_token=<<an40>>&token_type=bearer&expires_in=3600
----
https://api.telegram.org/bot<<telegram>>/sendMessage?chat_id=12345
----
wget --user=ann --password='<<pwodd>>' https://files.example/x.tar.gz
----
wget --http-user=ann --http-password=<<pws>> https://files.example/x.tar.gz
http -a ann:<<pws>> GET https://api.example/items
http POST api.example/login username=ann password=<<pws>>
----
POST https://hooks.slack.com/services/<<slackhook>>
----
https://discord.com/api/webhooks/112233445566778899/<<u86>>
----
{"access_token":"<<an40>>","refresh_token":"<<an64>>","id_token":"<<jwt>>","token_type":"Bearer","expires_in":3600,"scope":"read write"}
----
{
  "access_token": "<<ya29>>",
  "expires_in": 3599,
  "refresh_token": "<<grefresh>>",
  "scope": "https://www.googleapis.com/auth/drive",
  "token_type": "Bearer"
}
----
{"data": {"login": {"token": "<<jwt>>", "user": {"id": 7, "name": "Ann"}}}}
----
{"client_id": "web-app", "client_secret": "<<an32>>", "redirect_uris": ["https://app.example/cb"]}
----
{"id": "key_01", "object": "api_key", "secret": "<<an40>>", "created": 1742460000}
----
Set-Cookie: connect.sid=s%3A<<an32>>.<<an40>>; Path=/; HttpOnly
Set-Cookie: XSRF-TOKEN=<<an40>>; path=/
----
Authorization: token <<hex40>>
Proxy-Authorization: Basic <<basic>>
PRIVATE-TOKEN: <<glpat>>
X-Vault-Token: <<vault>>
Ocp-Apim-Subscription-Key: <<hex32>>
DD-API-KEY: <<hex32>>
X-Gitlab-Token: <<an24>>
X-Goog-Api-Key: <<google>>
----
wss://stream.example/socket?token=<<an40>>&v=2
https://bucket.s3.amazonaws.com/f?X-Amz-Algorithm=AWS4-HMAC-SHA256&X-Amz-Credential=<<awsid>>%2F20260320&X-Amz-Signature=<<hex64>>
https://acct.blob.core.windows.net/c/f?sv=2022-11-02&se=2026-04-01&sr=b&sp=r&sig=<<an40>>%3D
----
http://ann:<<urlpw>>@proxy.example:3128
ftp://backup:<<pws>>@ftp.example/dump
ldap://cn=admin:<<pws>>@ldap.example
sftp://deploy:<<pw>>@files.example:22/www
"""

_DB = r"""
$ psql "postgresql://app:<<pws>>@db.example:5432/app" -c 'select 1'
----
$ PGPASSWORD=<<pwodd>> psql -h db -U app
----
$ psql "host=db port=5432 user=app password=<<pw>> dbname=app"
----
mysql -h 127.0.0.1 -u root -p<<pws>> app < dump.sql
mysql -u root --password=<<pw>> -e 'show tables'
mysqldump --user=root --password='<<pwodd>>' app
----
CREATE USER app WITH PASSWORD '<<pw>>';
CREATE USER 'app'@'%' IDENTIFIED BY '<<pwletters>>';
ALTER ROLE app WITH LOGIN ENCRYPTED PASSWORD '<<phrase>>';
ALTER USER root@localhost IDENTIFIED WITH mysql_native_password BY '<<pw>>';
SET PASSWORD FOR 'root'@'localhost' = PASSWORD('<<pw>>');
GRANT ALL ON *.* TO 'x'@'%' IDENTIFIED BY "<<pw>>";
----
CREATE LOGIN app WITH PASSWORD = '<<pw>>', CHECK_POLICY = OFF;
----
INSERT INTO users (email, password) VALUES ('ann@x.example', '<<pw>>');
UPDATE users SET password = '<<pws>>' WHERE id = 1;
UPDATE settings SET api_key='<<an32>>' WHERE id=1;
----
 id |   name    |  password
----+-----------+------------
  1 | ann       | <<pw>>
----
redis-cli -h cache -a <<pws>> ping
redis-cli -u redis://default:<<pws>>@cache:6379
AUTH <<pws>>
CONFIG SET requirepass "<<pw>>"
----
mongosh "mongodb://root:<<pws>>@localhost:27017/admin"
mongo -u root -p <<pws>> --authenticationDatabase admin
db.createUser({user: "app", pwd: "<<pw>>", roles: ["readWrite"]})
----
root:<<pws>>@tcp(127.0.0.1:3306)/app?parseTime=true
----
amqp://guest:<<pws>>@mq:5672/%2f
clickhouse-client --user default --password <<pws>> -q 'select 1'
sqlcmd -S db -U sa -P '<<pw>>' -Q 'select 1'
----
jdbc:mysql://db:3306/app?user=root&password=<<pws>>&useSSL=false
jdbc:oracle:thin:app/<<pws>>@db:1521/XE
Driver={ODBC Driver 18};Server=db;Uid=sa;Pwd=<<pws>>;
"""

_CLOUD = r"""
$ aws sts get-session-token
{
    "Credentials": {
        "AccessKeyId": "<<awstmp>>",
        "SecretAccessKey": "<<awssecret>>",
        "SessionToken": "<<b300>>",
        "Expiration": "2026-03-20T21:00:00Z"
    }
}
----
$ aws iam create-access-key --user-name ci
{"AccessKey": {"UserName": "ci", "AccessKeyId": "<<awsid>>", "Status": "Active", "SecretAccessKey": "<<awssecret>>", "CreateDate": "2026-03-20T09:00:00Z"}}
----
$ aws secretsmanager get-secret-value --secret-id prod/db
{
    "ARN": "arn:aws:secretsmanager:eu-west-1:123456789012:secret:prod/db-AbCdEf",
    "Name": "prod/db",
    "VersionId": "0f8fad5b-d9cb-469f-a165-70867728950e",
    "SecretString": "{\"username\":\"app\",\"password\":\"<<pw>>\"}"
}
----
$ aws ssm get-parameter --name /prod/db/password --with-decryption
{"Parameter": {"Name": "/prod/db/password", "Type": "SecureString", "Value": "<<pw>>", "Version": 1}}
----
$ gcloud auth print-access-token
<<ya29>>
----
$ cat sa.json
{
  "type": "service_account",
  "project_id": "acme",
  "private_key_id": "3f786850e387550fdab836ed7e6dc881de23001b",
  "private_key": "<<pkcs8:oneline>>\n",
  "client_email": "ci@acme.iam.gserviceaccount.com"
}
----
$ az account get-access-token
{
  "accessToken": "<<jwt>>",
  "expiresOn": "2026-03-20 10:00:00.000000",
  "tenant": "0f8fad5b-d9cb-469f-a165-70867728950e",
  "tokenType": "Bearer"
}
----
$ az ad sp create-for-rbac -n ci
{
  "appId": "0f8fad5b-d9cb-469f-a165-70867728950e",
  "displayName": "ci",
  "password": "<<azsecret>>",
  "tenant": "5a000014-0000-4000-8000-000000000014"
}
----
$ az storage account keys list -n acct
[{"creationTime": "2026-03-20T09:00:00Z", "keyName": "key1", "permissions": "FULL", "value": "<<b88>>"}]
----
DefaultEndpointsProtocol=https;AccountName=acct;AccountKey=<<b88>>;EndpointSuffix=core.windows.net
Endpoint=sb://ns.servicebus.windows.net/;SharedAccessKeyName=Root;SharedAccessKey=<<b44>>
----
$ heroku config -a app
=== app Config Vars
DATABASE_URL:      postgres://u1:<<hex64>>@ec2-1.compute-1.amazonaws.com:5432/d1
SECRET_KEY:        <<an40>>
MAILGUN_API_KEY:   key-<<hex32>>
ADMIN_PASSWORD:    <<pws>>
----
$ vault kv get secret/db
====== Data ======
Key         Value
---         -----
password    <<pw>>
username    app
----
$ vault login
Key                  Value
---                  -----
token                <<vault>>
token_accessor       8Jk2l3m4n5o6p7q8r9s0t1u2
----
$ vercel env pull && cat .env.local
VERCEL_OIDC_TOKEN="<<jwt>>"
KV_REST_API_TOKEN="<<an64>>"
BLOB_READ_WRITE_TOKEN="vercel_blob_rw_<<an20>>_<<an32>>"
----
$ gh auth status --show-token
  - Token: <<ghp>>
$ gh auth token
<<ghpat>>
----
$ op item get db --fields password --reveal
password: <<pw>>
$ pass show db/prod
<<an24>>
----
$ terraform output -raw admin_password
admin_password = <<pw>>
$ pulumi config get dbPassword
dbPassword: <<pws>>
----
$ doppler run -- env
DOPPLER_TOKEN=<<doppler>>
$ databricks configure
Token: <<dapi>>
$ docker login -u ann -p <<docker>>
----
az sql server create -n s -u sqladmin -p <<pw>> -g rg
az login --service-principal -u 0f8fad5b-d9cb-469f-a165-70867728950e -p <<azsecret>> --tenant x
aws configure set aws_secret_access_key <<awssecret>>
gcloud sql users set-password root --instance=db --password=<<pws>>
"""

_KEYS = r"""
$ cat ~/.ssh/id_ed25519
<<openssh>>
----
$ cat server.key
<<rsa>>
$ openssl rsa -in server.key -passin pass:<<pws>> -out x
----
<<ec>>
----
<<encrypted>>
----
key: |
    <<pkcs8:indent>>
cert: x
----
const key = `<<rsa>>`;
----
sshpass -p '<<pw>>' ssh root@10.0.0.1
sshpass -p <<pws>> scp x root@10.0.0.1:
ssh-keygen -t ed25519 -N '<<phrase>>' -f id
gpg --batch --passphrase '<<phrase>>' -d x.gpg
zip -P <<pws>> x.zip f
7z x -p<<pws>> a.7z
echo '<<pw>>' | sudo -S apt-get update
echo "root:<<pws>>" | chpasswd
"""

_CODE = r"""
import stripe
stripe.api_key = "<<stripe>>"
client = OpenAI(api_key="<<openai>>", timeout=30)
conn = psycopg2.connect(host="db", user="app", password="<<pw>>", dbname="app")
----
const stripe = require('stripe')('<<stripetest>>');
const client = twilio('AC1234567890abcdef1234567890abcdef', '<<hex32>>');
const s = new AWS.S3({ accessKeyId: '<<awsid>>', secretAccessKey: '<<awssecret>>' });
mongoose.connect('mongodb://app:<<pws>>@localhost/app');
----
const config: Config = {
  user: 'app',
  password: '<<pwodd>>',
  apiKey: "<<an32>>",
  jwtSecret: `<<an40>>`,
};
----
dsn := "host=localhost user=app password=<<pws>> dbname=app sslmode=disable"
os.Setenv("API_TOKEN", "<<an32>>")
req.Header.Set("Authorization", "Bearer <<an40>>")
req.SetBasicAuth("ann", "<<pw>>")
cfg := Config{Password: "<<pwletters>>", APIKey: "<<an24>>"}
----
private static final String PASSWORD = "<<pw>>";
String apiKey = "<<an32>>";
DriverManager.getConnection("jdbc:postgresql://db/app", "app", "<<pw>>");
props.setProperty("mail.smtp.password", "<<pw>>");
@Value("${app.secret:<<an32>>}")
----
<?php
define('DB_PASSWORD', '<<pw>>');
define( 'AUTH_KEY', '<<an64>>' );
$password = "<<pwletters>>";
$config['db']['password'] = '<<pwodd>>';
$pdo = new PDO('mysql:host=db', 'root', '<<pw>>');
'secret' => '<<an32>>',
'password' => env('DB_PASSWORD', '<<pw>>'),
----
let token = "<<an40>>";
let client = Client::new("<<anthropic>>");
const API_KEY: &str = "<<an32>>";
.basic_auth("ann", Some("<<pw>>"))
env::set_var("DB_PASSWORD", "<<pw>>");
----
ENV['SECRET_KEY_BASE'] = '<<hex64>>'
Stripe.api_key = '<<stripe>>'
config.password = "<<pw>>"
http.basic_auth 'ann', '<<pw>>'
User.create!(email: 'ann@x.example', password: '<<pw>>')
----
var conn = new SqlConnection("Server=db;User Id=sa;Password=<<pws>>;");
builder.Configuration["Jwt:Key"] = "<<an40>>";
var password = @"<<pwodd>>";
options.ClientSecret = "<<an32>>";
new NetworkCredential("ann", "<<pw>>");
----
SECRET_KEY = 'django-insecure-<<an40>>'
DATABASES = {'default': {'ENGINE': 'x', 'USER': 'app', 'PASSWORD': '<<pwodd>>', 'HOST': ''}}
EMAIL_HOST_PASSWORD = '<<phrase>>'
app.secret_key = b'<<an24>>'
app.config["SECRET_KEY"] = "<<an32>>"
os.environ["OPENAI_API_KEY"] = "<<an40>>"
password = os.getenv("DB_PASSWORD", "<<pw>>")
requests.get(url, auth=("ann", "<<pw>>"))
headers = {"Authorization": f"Bearer <<an40>>", "x-api-key": "<<an24>>"}
----
await page.fill('input[name="password"]', '<<pw>>');
cy.get('#password').type('<<pw>>')
driver.find_element(By.ID, "password").send_keys("<<pw>>")
await login(page, { username: 'ann', password: '<<pws>>' });
----
val apiKey = "<<an32>>"
buildConfigField("String", "API_KEY", "\"<<an32>>\"")
storePassword = "<<pws>>"
keyPassword '<<pws>>'
----
firebase.initializeApp({ apiKey: "<<google>>", authDomain: "x.firebaseapp.com" })
Sentry.init({ dsn: "https://<<hex32>>@o1.ingest.sentry.io/2" })
SECRET = "<<pwletters>>"
PASSWORD = '<<pwletters>>'
password=<<pws>>
password=<<pwletters>>
"""

_PROSE = r"""
my password is <<pwodd>>
----
the root password is <<pws>>, please log in and check the disk
----
Use this token: <<ghp>> to push
----
here's the api key: <<an32>>
----
login with user ann and password <<pws>>
----
username: ann
password: <<pws>>
----
user: ann pass: <<pw>>
----
login: ann password: <<pw>>
----
Password: <<pws>>!
----
ssh into 10.0.0.5 as root, password: <<pwletters>>7
----
The staging credentials are:
- **User:** ann
- **Password:** `<<pw>>`
- API key: `<<an24>>`
----
| service | user | password |
|---|---|---|
| db | app | <<pw>> |
| mq | guest | <<pws>> |
----
| setting | value |
|---|---|
| password | <<pws>> |
| API key | `<<an32>>` |
----
test account: ann@x.example / <<pws>> (password)
----
pwd: <<pws>>
----
wifi passphrase: "<<phrase>>"
----
I set the admin password to <<pws>> yesterday
----
the db password was changed to "<<pw>>"
----
Passwort: <<pws>>
----
My OpenAI key is <<openaiold>> — add it to .env
----
secret = <<an40>> and that is all
----
Your new API key is: <<an40>>
Temporary password: <<pw>>
One-time admin password: <<pws>>
Generated root password: <<pw>>
----
A temporary password is generated for root@localhost: <<pws>>
----
Enter password: <<pws>>
----
use <<pws>> as the password
----
password = <<pws>>
client_id = web
client_secret = <<u43>>
----
密码：<<pws>>
----
пароль: <<pws>>
----
mot de passe : <<pws>>
----
contraseña: <<pws>>
"""

DOCUMENTS: tuple[tuple[str, str], ...] = tuple(
    (family, text)
    for family, texts in (
        ("dotenv", _ENV),
        ("ci", _CI),
        ("infra", _INFRA),
        ("rc", _RC),
        ("http", _HTTP),
        ("database", _DB),
        ("cloud", _CLOUD),
        ("keys", _KEYS),
        ("code", _CODE),
        ("prose", _PROSE),
    )
    for text in texts.strip("\n").split("\n----\n")
)
