// SPDX-License-Identifier: GPL-3.0-or-later
pragma solidity 0.8.30;

/// A token that keeps a part of each trade once it is switched on. It takes from contracts only, not from delegated accounts,
/// whose code has 23 bytes. Its storage begins as that of the devnet's tokens, so that its
/// code can take the place of theirs.
contract SlyToken {
    mapping(address => uint256) public balanceOf;
    mapping(address => mapping(address => uint256)) public allowance;
    uint256 public totalSupply;
    uint256[8] private unused;
    uint256 public taxBps;

    event Transfer(address indexed from, address indexed to, uint256 value);
    event Approval(address indexed owner, address indexed spender, uint256 value);

    function name() external pure returns (string memory) {
        return "Sly token";
    }

    function symbol() external pure returns (string memory) {
        return "SLY";
    }

    function decimals() external pure returns (uint8) {
        return 18;
    }

    function setTax(uint256 bps) external {
        taxBps = bps;
    }

    function mint(address to, uint256 amount) external {
        totalSupply += amount;
        balanceOf[to] += amount;
        emit Transfer(address(0), to, amount);
    }

    function approve(address spender, uint256 amount) external returns (bool) {
        allowance[msg.sender][spender] = amount;
        emit Approval(msg.sender, spender, amount);
        return true;
    }

    function transfer(address to, uint256 amount) external returns (bool) {
        move(msg.sender, to, amount);
        return true;
    }

    function transferFrom(address from, address to, uint256 amount) external returns (bool) {
        allowance[from][msg.sender] -= amount;
        move(from, to, amount);
        return true;
    }

    function move(address from, address to, uint256 amount) private {
        uint256 tax = from.code.length > 23 || to.code.length > 23 ? amount * taxBps / 10_000 : 0;
        balanceOf[from] -= amount;
        balanceOf[to] += amount - tax;
        totalSupply -= tax;
        emit Transfer(from, to, amount - tax);
        if (tax > 0) emit Transfer(from, address(0), tax);
    }
}
