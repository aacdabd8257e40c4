#!/usr/bin/env bash
# Builds Google's key attestation verifier (Kotlin) together with Answer.kt, for compare.py: build.sh VERIFIER CBOR FOLDER
# VERIFIER is a checkout of github.com/android/keyattestation. CBOR is a checkout of github.com/c-rack/cbor-java, which VERIFIER needs.
# CI does not run this script, because this repository contains neither checkout. The script writes the classes and the program `run` to
# FOLDER. Downloads the Kotlin compiler with pip (package kotlin-jupyter-kernel). Needs these Debian packages, in place of Gradle's downloads:
# default-jdk-headless libbcprov-java libbcpkix-java libguava-java libgoogle-gson-java libprotobuf-java.
#
# Exit status: 0, or the exit status of the first step that fails.
set -euo pipefail
case ${1:---help} in -h | --help) sed -n '2,8s/^# \{0,1\}//p' "$0" && exit 0 ;; esac
[ $# -eq 3 ] || { echo "build.sh: needs three folders; see --help" >&2 && exit 2; }
here=$(cd "$(dirname "$0")" && pwd)
verifier=$(cd "$1" && pwd) cbor=$(cd "$2" && pwd)
mkdir -p "$3"
cd "$3"

java=$(printf '%s:' /usr/share/java/{bcprov,bcpkix,bcutil,guava,gson,protobuf}.jar)
if [ ! -d kotlin ]; then
    python3 -m pip download --quiet --no-deps --dest wheel kotlin-jupyter-kernel
    python3 -m zipfile -e wheel/*.whl kotlin
fi
kotlin=$(printf '%s:' "$PWD"/kotlin/run_kotlin_kernel/jars/*.jar)

mkdir -p classes stand-ins
find "$cbor/src/main/java" -name '*.java' ! -name module-info.java -print0 | xargs -0 javac -nowarn -d classes

# Writes stand-ins for libraries that Debian does not package. From these libraries, VERIFIER uses annotations, one conversion, and two functions that wait for
# a result.
cat >stand-ins/Annotations.kt <<'END'
package androidx.annotation
annotation class RequiresApi(val value: Int = 0)
END
cat >stand-ins/ErrorProne.kt <<'END'
package com.google.errorprone.annotations
annotation class ThreadSafe
annotation class Immutable(val containerOf: Array<String> = [])
END
cat >stand-ins/ByteStrings.kt <<'END'
package com.google.protobuf.kotlin
fun ByteArray.toByteString(): com.google.protobuf.ByteString = com.google.protobuf.ByteString.copyFrom(this)
END
cat >stand-ins/Futures.kt <<'END'
package kotlinx.coroutines.guava
import com.google.common.util.concurrent.*
import kotlinx.coroutines.*
suspend fun <T> ListenableFuture<T>.await(): T = get()
fun <T> CoroutineScope.future(block: suspend CoroutineScope.() -> T): ListenableFuture<T> = Futures.immediateFuture(runBlocking { block() })
END
# Generates the Kotlin object GoogleTrustAnchors from VERIFIER's list of roots, as VERIFIER's Gradle build does.
{
    printf 'package com.android.keyattestation.verifier\nobject GoogleTrustAnchors : () -> Set<java.security.cert.TrustAnchor> {\n'
    printf '  override operator fun invoke() = com.google.gson.Gson().fromJson("""%s""", Array<String>::class.java)\n' "$(cat "$verifier/roots.json")"
    printf '    .map { java.security.cert.TrustAnchor(it.asX509Certificate(), null) }.toSet()\n}\n'
} >stand-ins/Roots.kt

# shellcheck disable=SC2046 # none of these names contains a space
java -cp "$kotlin" org.jetbrains.kotlin.cli.jvm.K2JVMCompiler -nowarn -no-stdlib -no-reflect -cp "classes:$java$kotlin" -d classes \
    stand-ins "$here/Answer.kt" $(find "$verifier/src/main/kotlin" -name '*.kt' ! -path '*/testing/*')
printf '#!/bin/sh\nexec java -cp "%s" answer.AnswerKt\n' "$PWD/classes:$java$kotlin" >run
chmod +x run
