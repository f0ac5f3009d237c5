"""The words that names and values are judged by."""


def _words(text: str) -> frozenset[str]:
    return frozenset(text.split())


STEMS = (
    "passw|passphrase|passcode|pwd|secret|token|key|authorization|cookie|credential|creds|contrase|senha|auth|"
    "dbpass|keypass|sshpass|requirepass|_pass|pass|pin|otp|_pw"
)
"""What is in every name that may tell of a secret."""

PASSWORDS = _words("password passwd pwd passphrase passcode passwort contraseña contrasena senha")
SECRETS = PASSWORDS | {"secret", "authorization", "bearer"}
"""Nouns whose value is a secret whatever it looks like."""

KEYS = _words("""
    api secret access private auth account service client db database encryption encrypt signing sign master shared
    subscription admin root server hmac jwt aes rsa ssh priv webhook
""")
"""What makes a `..._key` a secret; a plain key, a cache key or a public key is none."""

DOUBTFUL_KEYS = _words("deploy deployment storage write read session app application function functions host license")
"""What makes a `..._key` one that its value decides about."""

TOKENS = _words("""
    access refresh auth bearer id api session bot csrf xsrf security service personal deploy user client secret oauth
    oauth2 jwt sas vault private github gitlab slack hf npm pypi registry login identity web app application admin
    webhook signing push runner trigger job verification reset invite activation registration device
""")
"""What makes a `..._token` a secret whatever its value looks like; any other token is judged by its value."""

PAGES = _words("""
    page next prev previous continuation continue sync pagination cursor start end first last stop eos bos pad unk mask
    sep cls special logit image audio text input output prompt completion cached reasoning total max min num per
    change delta resume
""")
"""A token of these is a place in a list or a piece of text."""

ASIDE = _words("""
    confirm confirmation again repeat retype new old current value val plain plaintext raw text str string base64 b64
    encoded production prod staging dev live test default header primary secondary
""")
"""Words after the noun that do not make it another thing."""

HASHES = _words("hash hashed md5 sha1 sha256 bcrypt argon2 scrypt pbkdf2 crypt")
"""Words after a password that do not keep it from being guessed."""

NOT_THE_THING = _words("""
    has is needs requires require required max min num total count avg missing no n show hide
""")
"""A name that starts so is about the secret, not the secret."""

STAND_INS = _words("""
    a an the my your our their this that some any not no real actual insert put enter replace add here with me please
    need needed required require optional necessary use used using set unset local localhost test tests testing tester
    fake dummy mock mocked sample example examples placeholder default demo foo bar baz changeme change todo tbd fixme
    redacted removed masked hidden filtered sanitized omitted empty blank none null nil undefined unknown na true false
    yes string str text number int integer bool boolean bytes object array type value field name any password passwords
    passwd pwd passphrase secret secrets token tokens pat key keys api apikey auth authorization bearer basic digest
    credential credentials creds cookie cookies client access refresh private public user username db database admin
    account service app sk pk ant proj runwright openai anthropic azure aws google github ollama vllm lm studio is goes
    to for stands production signing session id pg ssh store oauth xxx
""")
"""A value made of nothing but these stands for another, if one of them is telling."""

ASKING = _words("your my insert enter put add replace example sample dummy fake mock test some any")
"""A value of words that begins so and ends with the thing asks for one: `YOUR_MAPS_API_KEY`."""

TELLING = STAND_INS - _words(
    "a an the my our is to local admin user db app account service for id session production stands store"
)

SENTENCE = _words("""
    the is are was be must should can cannot will your you our this that with for from to of and or not a an at in on if
    least please enter field value required invalid incorrect have has does do it its as by when than then
""")
"""Words that join others; a pass phrase has none."""
