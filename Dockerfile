# JupyterLab on the course, as a user without privileges.
#
#   docker build -t gopherwarp .                               kernels run on the simulator
#   docker build -t gopherwarp:cuda --build-arg DEVICE=cuda .  on a GPU, with the compilers and tools of CUDA 13 from PyPI
#   docker run --rm -p 127.0.0.1:8888:8888 gopherwarp
#   docker run --rm -p 127.0.0.1:8888:8888 --gpus all gopherwarp:cuda
#
# docs/guide/container.md names the variables: JUPYTER_TOKEN, PORT, BASE_URL, WORK. The digest is that of the list of the images for
# amd64 and arm64.
ARG BASE_IMAGE=debian:trixie-slim@sha256:d7e12182ce18b85b93007c1dedf31f2d29e01ccf3182cc4017c709b6259bc132

FROM ${BASE_IMAGE} AS base
ENV PATH=/opt/venv/bin:/usr/local/go/bin:${PATH} \
    LANG=C.UTF-8 \
    GOTOOLCHAIN=local
RUN apt-get update && \
    DEBIAN_FRONTEND=noninteractive apt-get install -y --no-install-recommends ca-certificates g++ libc6-dev mold python3 python3-venv && \
    rm -rf /var/lib/apt/lists/*

# The newest known Go, checked against its checksum in toolchains.txt, and the wheel.
FROM base AS build
ARG GOPROXY=https://proxy.golang.org,direct
ARG WHEEL_VERSION=
WORKDIR /src
COPY install/fetch-go.py install/
COPY internal/gorelease/toolchains.txt internal/gorelease/
RUN python3 install/fetch-go.py "$(cut -d ' ' -f 1 internal/gorelease/toolchains.txt | sort -V | tail -n 1)" /usr/local/go
COPY . .
RUN install/wheel.sh && rm -rf /usr/local/go/test /usr/local/go/doc /usr/local/go/api /usr/local/go/misc && \
    find /usr/local/go/src -name testdata -prune -exec rm -rf {} +

FROM base
ARG DEVICE=sim
COPY --from=build /usr/local/go /usr/local/go
COPY install/venv.sh install/lab-settings.json install/requirements.txt install/requirements-cuda.txt /opt/install/
COPY install/container/start.sh /usr/local/bin/start-lab
# A learner's files usually belong to the user 1000. Kubernetes may choose any other user, of the group 0.
RUN useradd --create-home --uid 1000 --gid 0 --shell /bin/bash learner && \
    PIP_NO_CACHE_DIR=1 PIP_NO_COMPILE=1 /opt/install/venv.sh /opt/venv /opt/install/requirements.txt $([ "$DEVICE" != cuda ] || echo /opt/install/requirements-cuda.txt)
COPY --from=build /src/dist/*.whl /opt/install/
RUN pip install --no-index --no-cache-dir --no-compile /opt/install/*.whl
COPY install/prune-cache.py /opt/install/
COPY --chown=1000:0 notebooks /home/learner/notebooks
USER 1000
ENV HOME=/home/learner \
    USER=learner
WORKDIR /home/learner/notebooks
# The first cell finds its caches. A user outside the group 0 reads them here. The header that is precompiled for check mode would save 0.3 s
# for a kernel, and takes 27 MB.
RUN gopherwarp run --device sim solutions/1-basics/first-kernel.ipynb -o /tmp/first-kernel.ipynb && \
    /opt/install/prune-cache.py ~/.cache/gopherwarp "$(go env GOCACHE)" && \
    rm -f /tmp/first-kernel.ipynb ~/.cache/gopherwarp/sim/*/shim/*.gch/check* && \
    chmod -R g=u,o+rX /home/learner
# What NVIDIA's container toolkit brings in of the driver, where it does.
ENV PORT=8888 \
    NVIDIA_DRIVER_CAPABILITIES=compute,utility
EXPOSE 8888
HEALTHCHECK --interval=30s --timeout=5s --start-period=30s CMD ["start-lab", "--check"]
CMD ["start-lab"]
