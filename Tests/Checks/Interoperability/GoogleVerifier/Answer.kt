// Prints Google's verdict on each line of standard input. Inputs and answers are JSON objects, one a line. Input: chain
// (DER in Base64, leaf first), root (DER in Base64; Google's roots if absent), time (Unix seconds), and revoked (serial
// numbers, as in Google's list). Answer: verified, constraints (whether the library's default constraints hold),
// failure, notes (members that the library's parser skipped), and description.

package answer

import com.android.keyattestation.verifier.*
import com.android.keyattestation.verifier.KeyDescription
import com.google.gson.GsonBuilder
import com.google.gson.JsonParser
import com.google.protobuf.ByteString
import java.security.cert.TrustAnchor
import java.security.cert.X509Certificate
import java.time.Instant
import java.util.Base64

class Record : LogHook, VerifyRequestLog {
  var description: KeyDescription? = null
  val notes = mutableListOf<String>()

  override fun createRequestLog() = this

  override fun logKeyDescription(keyDescription: KeyDescription) {
    description = keyDescription
  }

  override fun logInfoMessage(infoMessage: String) {
    notes += infoMessage
  }
}

fun certificate(text: String): X509Certificate = ByteString.copyFrom(Base64.getDecoder().decode(text)).newInput().asX509Certificate()

fun base64(bytes: ByteString): String = Base64.getEncoder().encodeToString(bytes.toByteArray())

fun level(level: SecurityLevel) =
  mapOf(
    SecurityLevel.SOFTWARE to "software",
    SecurityLevel.TRUSTED_ENVIRONMENT to "trustedEnvironment",
    SecurityLevel.STRONG_BOX to "strongBox",
  )[level]

/** Returns all members by pure-attest's names, as texts because numbers have any size. Absent members are null. */
fun members(list: AuthorizationList) =
  mapOf(
    "purposes" to list.purposes?.map { it.toString() }?.sorted(),
    "algorithm" to list.algorithms?.toString(),
    "keySize" to list.keySize?.toString(),
    "digests" to list.digests?.map { it.toString() }?.sorted(),
    "paddings" to list.paddings?.map { it.toString() }?.sorted(),
    "ecCurve" to list.ecCurve?.toString(),
    "mlDsaVariant" to list.mlDsaVariant?.toString(),
    "rsaPublicExponent" to list.rsaPublicExponent?.toString(),
    "usageCountLimit" to list.usageCountLimit?.toString(),
    "noAuthRequired" to list.noAuthRequired?.toString(),
    "userAuthType" to list.userAuthType?.toString(),
    "authTimeout" to list.authTimeout?.toString(),
    "creationDateTime" to list.creationDateTime?.toString(),
    "origin" to list.origin?.value?.toString(),
    "osVersion" to list.osVersion?.toString(),
    "osPatchLevel" to list.osPatchLevel?.yearMonth?.toString(),
    "vendorPatchLevel" to list.vendorPatchLevel?.yearMonth?.toString(),
    "bootPatchLevel" to list.bootPatchLevel?.yearMonth?.toString(),
    "verifiedBootKey" to list.rootOfTrust?.let { base64(it.verifiedBootKey) },
    "deviceLocked" to list.rootOfTrust?.deviceLocked?.toString(),
    "verifiedBootState" to list.rootOfTrust?.verifiedBootState?.value?.toString(),
    "verifiedBootHash" to list.rootOfTrust?.verifiedBootHash?.let { base64(it) },
    "packages" to list.attestationApplicationId?.packages?.map { "${it.name} ${it.version}" }?.sorted(),
    "signingDigests" to list.attestationApplicationId?.signatures?.map { base64(it) }?.sorted(),
    "brand" to list.attestationIdBrand,
    "model" to list.attestationIdModel,
  )

fun main() {
  val json = GsonBuilder().disableHtmlEscaping().serializeNulls().create()
  val noConstraints = ConstraintConfig(true, IgnoredConstraint, IgnoredConstraint, IgnoredConstraint)
  for (line in generateSequence(::readLine)) {
    val question = JsonParser.parseString(line).asJsonObject
    val answer = mutableMapOf<String, Any?>("verified" to false, "constraints" to false)
    val record = Record()
    try {
      val chain = question["chain"].asJsonArray.map { certificate(it.asString) }
      val roots = question["root"]?.let { setOf(TrustAnchor(certificate(it.asString), null)) } ?: GoogleTrustAnchors()
      val revoked = question["revoked"].asJsonArray.map { it.asString }.toSet()
      val time = Instant.ofEpochSecond(question["time"].asLong)
      val result = Verifier({ roots }, { revoked }, { time }, noConstraints).verify(chain, null, record)
      answer["verified"] = result is VerificationResult.Success
      if (result !is VerificationResult.Success) answer["failure"] = result.toString().take(300)
      val strict = Verifier({ roots }, { revoked }, { time }, ConstraintConfig()).verify(chain)
      answer["constraints"] = strict is VerificationResult.Success
    } catch (e: Throwable) {
      answer["failure"] = "thrown: ${e.toString().take(300)}"
    }
    answer["notes"] = record.notes
    answer["description"] =
      record.description?.let {
        mapOf(
          "attestationVersion" to it.attestationVersion.toString(),
          "attestationSecurityLevel" to level(it.attestationSecurityLevel),
          "keyMintVersion" to it.keyMintVersion.toString(),
          "keyMintSecurityLevel" to level(it.keyMintSecurityLevel),
          "attestationChallenge" to base64(it.attestationChallenge),
          "softwareEnforced" to members(it.softwareEnforced),
          "hardwareEnforced" to members(it.hardwareEnforced),
        )
      }
    println(json.toJson(answer))
  }
}
