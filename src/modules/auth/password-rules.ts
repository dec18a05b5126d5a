/**
 * The most used passwords of eight characters and more, from published leak statistics; compared without case. Length is
 * the schema's rule; there are no composition rules (NIST SP 800-63B §5.1.1.2).
 */
const COMMON = new Set(
  `12345678 123456789 1234567890 12345678910 123123123 123456123 11111111 111111111 1111111111 00000000 000000000
  88888888 87654321 987654321 0987654321 147258369 123321123 789456123 741852963 password password1 password12
  password123 password1234 passw0rd p@ssw0rd p@ssword qwertyui qwertyuiop qwerty12 qwerty123 qwerty1234 qwer1234
  1q2w3e4r 1q2w3e4r5t 1qaz2wsx zaq12wsx 1234qwer asdfghjk asdfghjkl zxcvbnm1 abcd1234 abc12345 abcdefgh abc123456
  iloveyou iloveyou1 sunshine princess football baseball superman trustno1 starwars whatever welcome1 welcome123
  letmein1 letmein123 changeme changeme1 admin123 admin1234 administrator master123 monkey123 dragon123 computer
  internet samsung1 michelle jennifer charlie1 jordan23 liverpool chelsea1 arsenal1 football1 a1b2c3d4 aa123456
  qazwsxedc test1234 testtest secret123 default1 guest123 mustang1 shadow12 google12 facebook1 pokemon1 killer123
  superman1 batman123 blink182 11223344 12341234 55555555 66666666 77777777 99999999 12121212 asdf1234 q1w2e3r4`.split(
    /\s+/,
  ),
);

/** What is wrong with a new password beyond its length, or undefined. */
export function passwordFault(password: string, email: string): string | undefined {
  const lowered = password.toLowerCase();
  if (COMMON.has(lowered)) return "password: is among the most common ones";
  if (lowered === email.toLowerCase()) return "password: must not be the email address";
  return undefined;
}
