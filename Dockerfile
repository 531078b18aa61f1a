# kerfless in an image that holds nothing else: docker build -t kerfless .
# The benchmark, in a Debian that can measure it: docker build -t kerfless-bench --target bench .
#
# Base images are pinned by tag. To pin them by digest, too, write what this prints behind the tag, as in
# swift:6.3.1-bookworm@sha256:…:
#   docker buildx imagetools inspect swift:6.3.1-bookworm --format '{{.Manifest.Digest}}'
#
# make check-image runs the steps of this file where there is no container engine.

FROM swift:6.3.1-bookworm AS build
RUN apt-get update \
 && apt-get install -y --no-install-recommends \
      'libjson-c-dev=0.16-*' 'liblz4-dev=1.9.4-*' 'make=4.3-*' 'pkg-config=1.8.1-*' \
 && rm -rf /var/lib/apt/lists/*
WORKDIR /src
COPY . .
RUN make static

FROM build AS bench-build
RUN make bench-programs

FROM debian:12.11-slim AS bench
RUN apt-get update \
 && apt-get install -y --no-install-recommends \
      'libjson-c5=0.16-*' 'liblz4-1=1.9.4-*' 'libstdc++6=12.2.0-*' 'strace=6.1-*' 'valgrind=1:3.19.0-*' \
 && rm -rf /var/lib/apt/lists/*
LABEL org.opencontainers.image.title="kerfless-bench" \
      org.opencontainers.image.description="How fast kerfless is on this machine, and how far from the limit" \
      org.opencontainers.image.version="0.1.0"
# The harness looks for what it measures where it is built. It writes nothing but what it is told to, for example
#   docker run --rm --read-only --tmpfs /tmp -v /farm/bench:/bench/out kerfless-bench run --quick --media out/media --work out
WORKDIR /bench
COPY --from=bench-build /src/Tests/Media/joc51.ec3 Tests/Media/joc51.ec3
COPY --from=bench-build /src/.build/static/kerfless .build/static/kerfless
COPY --from=bench-build /src/.build/perf/floor .build/perf/floor
COPY --from=bench-build /src/.build/bench/release/kerfless-bench .build/bench/release/kerfless-bench
COPY --from=bench-build /src/.build/bench/release/kerfless-probe .build/bench/release/kerfless-probe
USER 65534:65534
STOPSIGNAL SIGTERM
ENTRYPOINT ["/bench/.build/bench/release/kerfless-bench"]
CMD ["--help"]

FROM scratch AS kerfless
LABEL org.opencontainers.image.title="kerfless" \
      org.opencontainers.image.description="Cut and join Dolby Digital Plus in MP4 without decoding" \
      org.opencontainers.image.version="0.1.0"
COPY --from=build /src/.build/static/kerfless /kerfless
WORKDIR /work
USER 65534:65534
STOPSIGNAL SIGTERM
ENTRYPOINT ["/kerfless"]
CMD ["help"]
