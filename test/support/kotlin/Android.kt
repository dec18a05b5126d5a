/** As much of Android's classes, and of Google's for the install referrer, as the guide for apps calls. */

open class Activity {
    fun runOnUiThread(action: () -> Unit) = action()
}

class Intent(val data: Uri?)

class Uri(private val text: String) {
    override fun toString() = text
}

class Context(val referrer: String)

class JSONObject(private val text: String) {
    fun optBoolean(name: String) = text.contains("\"$name\":true")

    override fun toString() = text
}

interface InstallReferrerStateListener {
    fun onInstallReferrerSetupFinished(responseCode: Int)

    fun onInstallReferrerServiceDisconnected()
}

class ReferrerDetails(val installReferrer: String)

class InstallReferrerClient private constructor(context: Context) {
    val installReferrer = ReferrerDetails(context.referrer)

    fun startConnection(listener: InstallReferrerStateListener) =
        listener.onInstallReferrerSetupFinished(InstallReferrerResponse.OK)

    fun endConnection() {}

    object InstallReferrerResponse {
        const val OK = 0
    }

    class Builder(private val context: Context) {
        fun build() = InstallReferrerClient(context)
    }

    companion object {
        fun newBuilder(context: Context) = Builder(context)
    }
}
