# JupyterLab on the course, with the CUDA toolkit and Go.
#
#   docker build -t gopherwarp --build-arg VERSION="$(git describe --tags --always)" .
#   docker run --rm --gpus all -p 127.0.0.1:8888:8888 gopherwarp
#
# Without --gpus the simulator is used. Set JUPYTER_TOKEN to choose the token.
# The digest is that of the list of the images for amd64 and arm64.
ARG CUDA_IMAGE=nvidia/cuda:13.0.2-devel-ubuntu24.04@sha256:5dc1bca23d05bd37b011be68ec470c03b403a5da07ec3a86e41af9470e9d0cc6

FROM ${CUDA_IMAGE}
ENV PATH=/usr/local/go/bin:${PATH} \
    LANG=C.UTF-8
RUN apt-get update && \
    DEBIAN_FRONTEND=noninteractive apt-get install -y --no-install-recommends ca-certificates git make python3 && \
    rm -rf /var/lib/apt/lists/*

# Ubuntu's image has a user of its own with the id that a learner's files usually have.
RUN (userdel --remove ubuntu 2>/dev/null || true) && \
    useradd --create-home --uid 1000 --shell /bin/bash learner && \
    install -d -o learner -g learner /home/learner/gopherwarp
WORKDIR /home/learner/gopherwarp

# What changes seldom comes first, so that a change of the sources builds quickly. The newest known Go is checked against its
# checksum in toolchains.txt.
COPY install/fetch-go.py install/
COPY internal/gorelease/toolchains.txt internal/gorelease/
RUN python3 install/fetch-go.py "$(cut -d ' ' -f 1 internal/gorelease/toolchains.txt | sort -V | tail -n 1)" /usr/local/go
COPY --chown=learner:learner install/deps.sh install/venv.sh install/lab-settings.json install/requirements.txt install/
RUN install/deps.sh && rm -rf /var/lib/apt/lists/*
USER learner
RUN install/venv.sh .venv install/requirements.txt

COPY --chown=learner:learner . .
ARG VERSION=unknown
RUN make kernelspec VERSION="${VERSION}" && \
    bin/gopherwarp run --device sim notebooks/solutions/1-basics/first-kernel.ipynb -o /tmp/first-kernel.ipynb && \
    rm /tmp/first-kernel.ipynb

ENV ADDRESS=0.0.0.0 \
    PORT=8888 \
    BROWSER=no
EXPOSE 8888
HEALTHCHECK --interval=30s --timeout=5s --start-period=30s \
    CMD [".venv/bin/python", "-c", "import urllib.request; urllib.request.urlopen('http://localhost:8888/api', timeout=4)"]
CMD ["install/lab.sh"]
