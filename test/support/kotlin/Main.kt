/** Calls the guide's code as the arguments say: the service's URL, then pairs of what to call and with what. */
fun main(args: Array<String>) {
    val links = WaymarkLinks(args[0])
    for ((call, value) in args.drop(1).chunked(2)) {
        when (call) {
            "open" -> println(outcomeOf { links.open(value) })
            "claim" -> println(outcomeOf { links.claimReferrer(value) })
            "opened" -> App(links, Intent(Uri(value)), Context("")).opened()
            "started" -> App(links, Intent(null), Context(value)).started()
        }
    }
}

private fun outcomeOf(call: () -> String?) = runCatching(call).getOrElse { it.message }
