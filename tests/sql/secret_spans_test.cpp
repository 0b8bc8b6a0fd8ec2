#include "sql/secret_spans.hpp"

#include "sql/program.hpp"

#include <gtest/gtest.h>

#include <string>

namespace millrace::sql {
namespace {

/// The text as people may see it.
std::string shown(std::string_view text) {
  std::string result;
  std::size_t at = 0;
  for (const SecretSpan& span : secret_spans(text)) {
    result.append(text, at, span.begin - at);
    result += "***";
    at = span.end;
  }
  return result.append(text, at);
}

TEST(SecretSpans, HideAValueBetweenItsQuotes) {
  EXPECT_EQ(shown("WITH (\"kafka.sasl.password\" = 'hunter2', topic = 't')"),
            "WITH (\"kafka.sasl.password\" = '***', topic = 't')");
  EXPECT_EQ(shown("kafka_ssl_key_pem=E'it\\'s\nhunter2');"), "kafka_ssl_key_pem=E'***');");
  EXPECT_EQ(shown("API_KEY = $q$it's hunter2$q$;"), "API_KEY = $q$***$q$;");
  EXPECT_EQ(shown("token = 'it''s'"), "token = '***'");
  EXPECT_EQ(shown("secret = 'a'\n  'hunter2')"), "secret = '***')");
}

TEST(SecretSpans, HideTheRestOfTheLineWhereAQuoteIsMissing) {
  EXPECT_EQ(shown("kafka_sasl_password = hunter2', topic = 't')\n)"),
            "kafka_sasl_password = ***\n)");
  EXPECT_EQ(shown("password = 'hunter2, topic = 't')\n)"), "password = '***\n)");
  EXPECT_EQ(shown("password = 'hun'ter2'\n)"), "password = '***\n)");
  EXPECT_EQ(shown("password = 'hunter2"), "password = '***");
  EXPECT_EQ(shown("\"kafka.sasl.password = hunter2\n)"), "\"kafka.sasl.password = ***\n)");
  EXPECT_EQ(shown("'kafka.sasl.password' 'hunter2')"), "'kafka.sasl.password' '***')");
  EXPECT_EQ(shown("\"kafka.sasl.password\" hunter2"), "\"kafka.sasl.password\" ***");
  EXPECT_EQ(shown("password =\n  hunter2')"), "password =\n  ***");
  EXPECT_EQ(shown("topic = 'a, password = 'hunter2', x = 1)"),
            "topic = 'a, password = '***', x = 1)");
}

TEST(SecretSpans, LeaveEverythingElseAlone) {
  for (const char* text :
       {"SELECT token, passenger_count FROM clicks WHERE passenger_count = 3",
        "key_column = 'user_id', key = 'none'", "CREATE TABLE t (token text, secret bytea)",
        "topic = 'passwords'", "SELECT passport = 'x'", "a", ""})
    EXPECT_EQ(shown(text), text);
}

/// What a person reads who starts a job with this option of a table.
std::string refusal(const std::string& option) {
  const auto nothing = [](std::string_view) { return std::nullopt; };
  const auto program = Program::parse("CREATE TABLE t ()\n  WITH (connector = 'kafka', " + option +
                                          ");\nINSERT INTO t SELECT a FROM s;",
                                      nothing);
  return program ? "accepted" : program.error().message;
}

TEST(SecretSpans, KeepASecretOutOfEveryRefusal) {
  for (const char* option : {
           "kafka_sasl_password = hunter2'",
           "kafka_sasl_password = 'hunter2",
           "kafka_sasl_password 'hunter2'",
           "kafka_sasl_password = 'hunter2' 'x' oops",
           "\"kafka.sasl.password = 'hunter2'",
           "kafka.sasl.password = 'hunter2'",
           "topic = 'a, kafka_sasl_password = 'hunter2'",
           "topic = a', kafka_sasl_password = 'hunter2'",
           "kafka_sasl_password = \"hunter2\", oops oops",
           "kafka_sasl_password = hunter2-x",
           "kafka_sasl_jaas_config = 'Login required password=\"hunter2\";' oops",
           "ssl_key_password = (hunter2)",
       }) {
    const std::string message = refusal(option);
    EXPECT_NE(message, "accepted") << option;
    EXPECT_EQ(message.find("hunter2"), std::string::npos) << message;
  }
}

}  // namespace
}  // namespace millrace::sql
