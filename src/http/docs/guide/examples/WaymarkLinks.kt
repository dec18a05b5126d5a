import java.net.HttpURLConnection
import java.net.URL
import java.net.URLEncoder

/**
 * Call it off the main thread. It throws if Waymark cannot be reached. Answers are JSON, for the parser that your app
 * has: `JSONObject(answer)` on Android.
 */
class WaymarkLinks(private val service: String) {
    /** What an App Link stands for: `title`, `destinationUrl`, `deepLinkPayload`. Null if there is no such link. */
    fun open(shortUrl: String): String? {
        // Not by `URI`, which throws for what browsers leave as it is, such as `utm_content=a|b`.
        val address = shortUrl.substringBefore('#').substringAfter("://")
        val parts = address.substringBefore('?').split("/").filter { it.isNotEmpty() }
        val segments = parts.drop(1)
        val slug = segments.lastOrNull() ?: return null
        val query = listOf(
            "domain" to parts.first(),
            "slug" to slug,
            "pathPrefix" to segments.dropLast(1).joinToString("/"),
            "platform" to "android",
            "query" to address.substringAfter('?', "")
        )
        return ask("/api/v1/resolve?" + query.joinToString("&") { (name, value) -> "$name=${encoded(value)}" })
    }

    /** What led to the install: `matched`, and then the link. Takes the whole referrer, as Play's library returns it. */
    fun claimReferrer(installReferrer: String): String? =
        ask(
            "/api/v1/match/install-attribution",
            """{"installAttributionToken": "${escaped(installReferrer)}", "provider": "play_install_referrer"}"""
        )

    private fun ask(path: String, body: String? = null): String? {
        val connection = URL(service + path).openConnection() as HttpURLConnection
        try {
            if (body != null) {
                connection.requestMethod = "POST"
                connection.doOutput = true
                connection.setRequestProperty("Content-Type", "application/json")
                connection.outputStream.use { it.write(body.toByteArray()) }
            }
            return when (val status = connection.responseCode) {
                in 200..299 -> connection.inputStream.bufferedReader().use { it.readText() }
                404, 410 -> null
                else -> throw IllegalStateException("Waymark returned $status; try again at the next start")
            }
        } finally {
            connection.disconnect()
        }
    }

    private fun encoded(text: String) = URLEncoder.encode(text, "UTF-8")

    private fun escaped(text: String) = text.replace("\\", "\\\\").replace("\"", "\\\"")
}
